//! Messages of pages, written by hand and read back; and drawn bytes, which are
//! read or refused according to a table of lengths.

use super::*;

/// The bytes after the kind, for kinds of a fixed length.
const LENGTHS: [(u8, usize); 26] = [
    (1, 16 + 1 + 4 + 8 + 3),
    (3, 1 + 8),
    (4, 1 + 8 + 8),
    (5, 8),
    (6, 8),
    (7, 0),
    (8, 16),
    (9, 8),
    (10, 4 + 2 + 16),
    (11, 2 + 8),
    (12, 0),
    (13, 0),
    (14, 5),
    (15, 4),
    (16, 1 + 8 + 8 + 1),
    (17, 3 + 8),
    (18, 8 + 4),
    (19, 0),
    (20, 8),
    (21, 8),
    (22, 1),
    (23, 0),
    (24, 3),
    (25, 8),
    (26, 1),
    (27, 0),
];

/// Returns bytes from numbers with their sizes.
fn bytes(kind: u8, numbers: &[(usize, i64)]) -> Vec<u8> {
    let mut bytes = vec![kind];
    for &(size, number) in numbers {
        bytes.extend_from_slice(&number.to_le_bytes()[..size]);
    }
    bytes
}

#[test]
fn messages_are_read_as_they_were_written() {
    let cell = Cell::new(-7, 1200);
    let place = [(4, -7), (4, 1200)];
    let area = [(4, 30), (4, -2), (4, 5), (4, 6)];
    let rect = CellRect::new(30, -2, 5, 6);
    let asked = |kind, numbers: &[(usize, i64)]| match Message::read(&bytes(kind, numbers)) {
        Ok(Message::Request(request)) => request,
        other => panic!("{kind}: {other:?}"),
    };
    assert_eq!(asked(5, &place), Request::Goal(cell));
    assert_eq!(asked(6, &place), Request::Source(cell));
    assert_eq!(asked(7, &[]), Request::Clear);
    assert_eq!(asked(9, &place), Request::Send(cell));
    let stroke = [&[(4, 77), (1, 3), (1, 255)][..], &area].concat();
    let paint = Request::Paint {
        stroke: 77,
        brush: 3,
        amount: 255,
        area: rect,
    };
    assert_eq!(asked(10, &stroke), paint);
    let stamp = Request::Stamp {
        template: 2,
        turns: 3,
        cell,
    };
    assert_eq!(asked(11, &[&[(1, 2), (1, 3)][..], &place].concat()), stamp);
    let half = i64::from(0.5f32.to_bits());
    assert_eq!(
        asked(14, &[(1, 3), (4, half)]),
        Request::Time(Time::Speed(0.5))
    );
    let new = NewMap {
        kind: 4,
        width: 10,
        height: 8000,
        seed: 9,
        has_army: true,
    };
    assert_eq!(
        asked(16, &[(1, 4), (4, 10), (4, 8000), (8, 9), (1, 1)]),
        Request::New(new)
    );
    let scene = PlayScene {
        scene: 3,
        reading: None,
        beside: Some(1),
        seed: 8,
    };
    assert_eq!(
        asked(17, &[(1, 3), (1, 255), (1, 1), (8, 8)]),
        Request::Scene(scene)
    );
    assert_eq!(asked(20, &[(8, 5)]), Request::Life(5));
    assert_eq!(asked(21, &place), Request::Click(cell));
    assert_eq!(asked(22, &[(1, 4)]), Request::Read(4));
    assert_eq!(asked(23, &[]), Request::StrokeEnd);
    let layer = LayerId::from_number(2).for_team(5).unwrap();
    assert_eq!(asked(24, &[(2, 2), (1, 5)]), Request::OwnLayer(layer));
    assert_eq!(asked(25, &place), Request::March(cell));
    assert_eq!(asked(26, &[(1, 2)]), Request::Quality(2));
    assert_eq!(asked(27, &[]), Request::Again);
    let view = [
        &area[..],
        &[(1, 2), (4, 0b101), (8, -1)],
        &[(2, 300), (1, 7)],
    ]
    .concat();
    let wanted = View {
        area: rect,
        level: 2,
        layers: 0b101,
        order: None,
        on: LayerId::from_number(300).for_team(7).unwrap(),
    };
    assert_eq!(Message::read(&bytes(1, &view)), Ok(Message::View(wanted)));
}

#[test]
fn values_out_of_range_are_refused() {
    let far = i64::from(FAR) + 1;
    let not_a_number = i64::from(f32::NAN.to_bits());
    for (kind, numbers) in [
        (
            1,
            &[
                (4, 0),
                (4, 0),
                (4, 1),
                (4, 1),
                (1, 10),
                (4, 0),
                (8, 0),
                (3, 0),
            ][..],
        ),
        (
            1,
            &[
                (4, 0),
                (4, 0),
                (4, far),
                (4, 1),
                (1, 0),
                (4, 0),
                (8, 0),
                (3, 0),
            ],
        ),
        (1, &[(8, 0), (8, 0), (1, 0), (4, 0), (8, 0), (2, 0), (1, 8)]),
        (3, &[(1, 2), (4, 0), (4, 0)]),
        (5, &[(4, far), (4, 0)]),
        (5, &[(4, 0), (4, -far)]),
        (10, &[(4, 0), (2, 0), (4, far), (4, 0), (4, 1), (4, 1)]),
        (11, &[(1, 0), (1, 4), (4, 0), (4, 0)]),
        (14, &[(1, 4), (4, 0)]),
        (14, &[(1, 3), (4, 0)]),
        (16, &[(1, 0), (4, 0), (4, 5), (8, 0), (1, 0)]),
        (16, &[(1, 0), (4, 5), (4, 8001), (8, 0), (1, 0)]),
        (16, &[(1, 0), (4, 5), (4, 5), (8, 0), (1, 2)]),
        (18, &[(4, 0), (4, 0), (4, 0)]),
        (18, &[(4, 0), (4, 0), (4, 20_001)]),
        (24, &[(2, 0), (1, 8)]),
    ] {
        let read = Message::read(&bytes(kind, numbers));
        assert_eq!(read, Err(Refusal::Value(kind)), "{numbers:?}");
    }
    let select = bytes(8, &[(4, 0), (4, 0), (4, not_a_number), (4, 0)]);
    assert!(Message::read(&select).is_err());
}

#[test]
fn requests_of_any_bytes_are_read_or_refused() {
    let mut state = 11u64;
    let mut draw = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as u8
    };
    for round in 0..60_000 {
        let length = usize::from(draw()) % 48;
        let mut message: Vec<u8> = (0..length).map(|_| draw()).collect();
        if round % 2 == 0 && !message.is_empty() {
            message[0] %= 28;
        }
        let read = Message::read(&message);
        let Some((&kind, rest)) = message.split_first() else {
            assert_eq!(read, Err(Refusal::Empty));
            continue;
        };
        match LENGTHS.iter().find(|(known, _)| *known == kind) {
            Some(&(_, wanted)) if rest.len() != wanted => {
                assert!(read.is_err(), "{message:?} has a wrong length");
            }
            Some(_) => {}
            None if kind == 2 => {}
            None => assert_eq!(read, Err(Refusal::Kind(kind))),
        }
    }
}

#[test]
fn blocks_given_up_are_counted() {
    let block = [(1, 1), (1, 6), (1, 0), (2, 300), (2, 4), (2, 9), (1, 3)];
    let two = [&[(2, 2)][..], &block, &block].concat();
    let Ok(Message::Forget(forgotten)) = Message::read(&bytes(2, &two)) else {
        panic!("two blocks");
    };
    assert_eq!(forgotten.len(), 2);
    assert_eq!(forgotten[0].layer, Overlay::Graph);
    assert_eq!([forgotten[1].column, forgotten[1].row], [300, 4]);
    assert_eq!(forgotten[1].on.to_string(), "layer 9 of team 3");
    let short = [&[(2, 3)][..], &block, &block].concat();
    assert_eq!(Message::read(&bytes(2, &short)), Err(Refusal::Length(2)));
    assert_eq!(
        Message::read(&bytes(2, &[(2, 5000)])),
        Err(Refusal::Value(2))
    );
}
