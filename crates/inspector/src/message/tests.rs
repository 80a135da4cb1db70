//! Messages to pages, read back by a decoder that knows only the table in each
//! test.

use super::*;
use crate::overlay::Overlay;
use crate::shown::MarkState;

/// Reads numbers of these sizes from the start of some bytes.
fn numbers<'a>(bytes: &'a [u8], sizes: &[usize]) -> (Vec<u64>, &'a [u8]) {
    let mut rest = bytes;
    let mut numbers = Vec::new();
    for &size in sizes {
        let mut number = 0;
        for at in (0..size).rev() {
            number = number * 256 + u64::from(rest[at]);
        }
        numbers.push(number);
        rest = &rest[size..];
    }
    (numbers, rest)
}

const KEY: BlockKey = BlockKey {
    stage: 1,
    on: LayerId::from_number(260),
    layer: Overlay::Flow,
    level: 3,
    column: 513,
    row: 7,
};

#[test]
fn a_block_is_whole_or_one_texel_for_all() {
    let content: Vec<u8> = (0..10_000u32)
        .map(|number| (number * 7 % 251) as u8)
        .collect();
    let message = block(KEY, 0xA1B2_C3D4, 99, &content);
    let (head, rest) = numbers(&message, &[1, 1, 1, 1, 1, 2, 2, 4, 8, 2, 1]);
    assert_eq!(head, [2, 1, 1, 3, 0, 513, 7, 0xA1B2_C3D4, 99, 260, 0]);
    assert_eq!(rest, content);

    let plain = block(KEY, 1, 2, &[9; 10_000]);
    let (head, rest) = numbers(&plain, &[1, 1, 1, 1, 1, 2, 2, 4, 8, 2, 1]);
    assert_eq!((head[4], rest), (1, &[9][..]));

    let ground = BlockKey {
        layer: Overlay::Ground,
        ..KEY
    };
    let texels = [3, 1, 128, 90].repeat(102 * 102);
    assert_eq!(block(ground, 1, 2, &texels)[24..], [3, 1, 128, 90]);
    let mut other = texels.clone();
    *other.last_mut().unwrap() = 91;
    assert_eq!(block(ground, 1, 2, &other)[24..], other);
    // Lines have no texels: a block of equal lines is not reduced to one.
    let lines = BlockKey {
        layer: Overlay::Portals,
        ..KEY
    };
    assert_eq!(block(lines, 1, 2, &[5; 20])[24..], [5; 20]);
}

#[test]
fn units_are_sixteen_bytes_each() {
    let marks = [
        Mark::at(7, Cell::new(10, 20)),
        Mark {
            id: u32::MAX,
            position: [0.25, 3999.75],
            radius: 0.5,
            banner: 3,
            state: MarkState::Unreachable,
            selected: true,
        },
    ];
    let message = units(1, 500, &marks, CellRect::new(0, 0, 4000, 4000));
    let (head, rest) = numbers(&message, &[1, 1, 4, 4]);
    assert_eq!(head, [3, 1, 500, 2]);
    assert_eq!(rest.len(), 32);
    let bits = |value: f32| u64::from(value.to_bits());
    let (one, rest) = numbers(rest, &[4, 4, 4, 1, 1, 1, 1]);
    assert_eq!(one, [7, bits(10.5), bits(20.5), 19, 0, 0, 0]);
    let (two, _) = numbers(rest, &[4, 4, 4, 1, 1, 1, 1]);
    assert_eq!(
        two,
        [u64::from(u32::MAX), bits(0.25), bits(3999.75), 32, 3, 2, 1]
    );
    let near = units(1, 500, &marks, CellRect::new(10, 20, 1, 1));
    assert_eq!(near.len(), 10 + 16, "what is out of view is not sent");
}

#[test]
fn texts_are_cut_at_a_character() {
    let long = "é".repeat(40_000);
    let message = note(NoteKind::Refused, &long);
    let (head, rest) = numbers(&message, &[1, 1, 2]);
    assert_eq!(head, [10, 2, 65_534]);
    assert_eq!(std::str::from_utf8(rest).unwrap().chars().count(), 32_767);
}

#[test]
fn a_life_tells_each_slice() {
    let slices = [
        LifeSlice::default(),
        LifeSlice {
            cells: 1 << 40,
            stage: LifeStage::Sight,
            loaded: vec![(1, 2), (6553, 6553)],
            waiting: vec![(3, 4)],
            served: vec![(8, 9)],
            sight: vec![(5, 6, 700)],
            ..LifeSlice::default()
        },
    ];
    let message = life(5, &slices);
    let (head, rest) = numbers(&message, &[1, 8, 4]);
    assert_eq!(head, [11, 5, 2]);
    let (_, rest) = numbers(rest, &[8, 1, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]);
    let (second, rest) = numbers(rest, &[8, 1, 4, 4, 4, 4, 2, 2, 2, 2]);
    assert_eq!(second, [1 << 40, 6, 0, 0, 0, 2, 1, 2, 6553, 6553]);
    let (lists, rest) = numbers(rest, &[4, 4, 2, 2, 4, 2, 2, 4, 4, 4, 2, 2, 2]);
    assert_eq!(lists, [0, 1, 3, 4, 1, 8, 9, 0, 0, 1, 5, 6, 700]);
    assert!(rest.is_empty());
}

#[test]
fn a_route_tells_its_portals_with_their_windows() {
    let crossing = Crossing {
        cell: Cell::new(9, 14),
        window: CellRect::new(9, 12, 1, 6),
        stands: true,
    };
    let far = Crossing {
        cell: Cell::new(500, 14),
        ..crossing
    };
    let view = CellRect::new(0, 0, 100, 100);
    let message = route(1, 77, &[far, crossing, far], view);
    let (numbers, rest) = numbers(&message, &[1, 1, 8, 4, 2, 2, 2, 2, 1, 1]);
    assert_eq!(numbers, [5, 1, 77, 2, 9, 14, 9, 12, 6, 1]);
    assert!(rest.is_empty(), "what is out of view is not sent");
}

#[test]
fn a_hello_lists_the_layers_of_each_world() {
    let layer = |number, teams, is_derived, name: &str| WorldLayer {
        id: LayerId::from_number(number),
        teams,
        is_derived,
        name: name.to_owned(),
    };
    let stage = StageInfo {
        serial: 9,
        width: 30,
        height: 20,
        layers: 5,
        title: "é".to_owned(),
        world_layers: [
            layer(0, flowtiles::Teams::ALL, true, "ground"),
            layer(258, flowtiles::Teams::NONE.with(3), false, "x"),
        ]
        .into(),
    };
    let message = hello(&[stage], IsStudio::Yes);
    let (head, rest) = numbers(&message, &[1, 1, 1, 1, 4, 4, 4, 4, 2]);
    assert_eq!(head, [1, 8, 1, 1, 9, 30, 20, 5, 2]);
    let (count, rest) = numbers(&rest[2..], &[2]);
    assert_eq!(count, [2]);
    let (one, rest) = numbers(rest, &[2, 1, 1, 2]);
    assert_eq!((one, &rest[..6]), (vec![0, 255, 1, 6], &b"ground"[..]));
    let (two, rest) = numbers(&rest[6..], &[2, 1, 1, 2]);
    assert_eq!((two, rest), (vec![258, 8, 0, 1], &b"x"[..]));
}
