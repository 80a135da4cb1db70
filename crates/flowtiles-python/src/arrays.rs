//! Arrays from Python, checked once, and arrays for Python.
//!
//! What is to be whole numbers is refused with floats, and never rounded: a cost of 0.5 is a
//! mistake that would otherwise show as a wall or as open ground somewhere on the map. Cells are
//! pairs of x and y, maps are rows of columns.

use flowtiles::{Cell, CellRect};
use numpy::{
    Element, IntoPyArray, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::Fault;

/// Numbers in the shape in which they were given.
pub(crate) struct Shaped<T> {
    pub(crate) values: Vec<T>,
    pub(crate) shape: Vec<usize>,
}

/// Makes an array of anything that NumPy takes for one. An array with a mask is refused: its values
/// would be taken without it.
pub(crate) fn array<'py>(
    what: &str,
    given: &Bound<'py, PyAny>,
) -> Result<Bound<'py, PyUntypedArray>, Fault> {
    let numpy = given.py().import("numpy")?;
    if let Ok(array) = given.cast::<PyUntypedArray>() {
        let is_plain = given.is_exact_instance_of::<PyUntypedArray>();
        let is_masked = || numpy.getattr("ma")?.call_method1("isMaskedArray", (given,));
        if !is_plain && is_masked()?.is_truthy()? {
            return Err(Fault::argument(format!(
                "`{what}` is a masked array: give one without a mask, for costs as in a.filled(255)"
            )));
        }
        return Ok(array.clone());
    }
    let made = numpy.call_method1("asarray", (given,)).map_err(|error| {
        let text = error.value(given.py()).to_string();
        Fault::argument(format!("`{what}` is no array: {text}"))
    })?;
    made.cast_into::<PyUntypedArray>()
        .map_err(|error| Fault::Python(error.into()))
}

/// Returns the values of an array as one type, row by row.
fn values<T: Element + Clone>(
    what: &str,
    array: &Bound<'_, PyUntypedArray>,
    dtype: &str,
) -> Result<Vec<T>, Fault> {
    let as_is = array.cast::<PyArrayDyn<T>>().ok();
    if let Some(array) = as_is.filter(|array| array.is_c_contiguous())
        && let Ok(view) = array.try_readonly()
        && let Ok(slice) = view.as_slice()
    {
        return Ok(slice.to_vec());
    }
    let how = PyDict::new(array.py());
    how.set_item("order", "C")?;
    let made = array.call_method("astype", (dtype,), Some(&how))?;
    let made = made.cast_into::<PyArrayDyn<T>>();
    let made = made.map_err(|error| Fault::Python(error.into()))?;
    let busy = |error| Fault::argument(format!("`{what}` is being written to: {error}"));
    made.to_vec().map_err(busy)
}

/// Reads whole numbers. The bounds are for the words that refuse what no `i64` holds.
pub(crate) fn whole(
    what: &str,
    given: &Bound<'_, PyAny>,
    [least, most]: [i64; 2],
) -> Result<Shaped<i64>, Fault> {
    let array = array(what, given)?;
    let shape = array.shape().to_vec();
    if array.is_empty() {
        let values = Vec::new();
        return Ok(Shaped { values, shape });
    }
    let dtype = array.dtype();
    match dtype.kind() {
        b'i' | b'u' => {}
        b'f' => {
            let numpy = array.py().import("numpy")?;
            let holes = numpy.call_method1("isnan", (&array,))?;
            let has_holes: bool = holes.call_method0("any")?.extract()?;
            let (also, first) = if has_holes {
                (" and NaN", "replace NaN with numpy.nan_to_num, then ")
            } else {
                ("", "")
            };
            return Err(Fault::argument(format!(
                "`{what}` has floats ({dtype}){also}: {first}round them and give whole numbers, as \
                 in numpy.floor(a).astype(numpy.int32)"
            )));
        }
        b'b' => {
            return Err(Fault::argument(format!(
                "`{what}` is of true and false: give whole numbers, for costs as in \
                 numpy.where(walls, 255, 1)"
            )));
        }
        _ => {
            return Err(Fault::argument(format!(
                "`{what}` is an array of {dtype}: give whole numbers, as in \
                 numpy.asarray(a, dtype=numpy.int32)"
            )));
        }
    }
    if dtype.kind() == b'u' && dtype.itemsize() == 8 {
        let values: Vec<u64> = values(what, &array, "u8")?;
        let values = values
            .into_iter()
            .map(|value| i64::try_from(value).map_err(|_| out_of_range(what, value, least, most)));
        let values = values.collect::<Result<_, Fault>>()?;
        return Ok(Shaped { values, shape });
    }
    let values = values(what, &array, "i8")?;
    Ok(Shaped { values, shape })
}

fn out_of_range(
    what: &str,
    value: impl std::fmt::Display,
    least: impl std::fmt::Display,
    most: impl std::fmt::Display,
) -> Fault {
    Fault::argument(format!(
        "`{what}` has {value}, which is out of range: give {least} to {most}"
    ))
}

/// Reads whole numbers that are of a narrower type.
pub(crate) fn narrow<T: TryFrom<i64>>(
    what: &str,
    given: &Bound<'_, PyAny>,
    bounds: [i64; 2],
) -> Result<Shaped<T>, Fault> {
    let found = whole(what, given, bounds)?;
    let [least, most] = bounds;
    let values = found.values.into_iter().map(|value| {
        let is_within = (least..=most).contains(&value);
        let value_in = T::try_from(value).ok().filter(|_| is_within);
        value_in.ok_or_else(|| out_of_range(what, value, least, most))
    });
    Ok(Shaped {
        values: values.collect::<Result<_, _>>()?,
        shape: found.shape,
    })
}

const U32: [i64; 2] = [0, u32::MAX as i64];
const I32: [i64; 2] = [i32::MIN as i64, i32::MAX as i64];

/// A map's rows of costs, or of what else is 0 to 255 a cell.
pub(crate) struct Rows {
    pub(crate) rows: Vec<u8>,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// Reads a map: a byte a cell, row by row. `least` is 1 for costs, and 0 where that says
/// something.
pub(crate) fn rows(what: &str, given: &Bound<'_, PyAny>, least: u8) -> Result<Rows, Fault> {
    let array = array(what, given)?;
    let &[height, width] = array.shape() else {
        return Err(Fault::argument(format!(
            "`{what}` has {} dimensions: give an array of rows of columns, [y, x]",
            array.ndim()
        )));
    };
    let side = |side: usize| {
        u32::try_from(side).map_err(|_| Fault::argument(format!("`{what}` is too long: {side}")))
    };
    let (width, height) = (side(width)?, side(height)?);
    if array.is_empty() {
        return Err(Fault::argument(format!(
            "`{what}` is empty, {height} rows of {width} columns: give at least one cell"
        )));
    }
    if let Ok(bytes) = array.cast::<PyArrayDyn<u8>>() {
        let rows = values(what, bytes.as_untyped(), "u1")?;
        check_rows(what, &rows, width, |&byte| byte >= least, least)?;
        return Ok(Rows {
            rows,
            width,
            height,
        });
    }
    let least_value = i64::from(least);
    let found = whole(what, array.as_any(), [least_value, 255])?.values;
    let is_cost = |value: &i64| (least_value..=255).contains(value);
    check_rows(what, &found, width, is_cost, least)?;
    Ok(Rows {
        rows: found.into_iter().map(|value| value as u8).collect(),
        width,
        height,
    })
}

fn check_rows<T: std::fmt::Display>(
    what: &str,
    rows: &[T],
    width: u32,
    is_right: impl Fn(&T) -> bool,
    least: u8,
) -> Result<(), Fault> {
    let Some(at) = rows.iter().position(|value| !is_right(value)) else {
        return Ok(());
    };
    let (y, x) = (at / width as usize, at % width as usize);
    let value = &rows[at];
    Err(Fault::argument(format!(
        "`{what}` has {value} in row {y}, column {x}: costs are {least} to 254, and 255 is a wall"
    )))
}

/// Reads cells: pairs of x and y along the last axis. The shape is that of the other axes.
pub(crate) fn cells(what: &str, given: &Bound<'_, PyAny>) -> Result<Shaped<Cell>, Fault> {
    let found = narrow::<i32>(what, given, I32)?;
    let shape = pairs(what, &found.shape)?;
    let values = found.values.chunks_exact(2);
    Ok(Shaped {
        values: values.map(|cell| Cell::new(cell[0], cell[1])).collect(),
        shape,
    })
}

/// Reads one cell.
pub(crate) fn cell(what: &str, given: &Bound<'_, PyAny>) -> Result<Cell, Fault> {
    let found = cells(what, given)?;
    match found.values[..] {
        [cell] if found.shape.is_empty() => Ok(cell),
        _ => Err(Fault::argument(format!(
            "`{what}` is not one cell: give a pair of x and y"
        ))),
    }
}

fn pairs(what: &str, shape: &[usize]) -> Result<Vec<usize>, Fault> {
    match shape {
        // An empty list.
        [0] => Ok(vec![0]),
        [before @ .., 2] => Ok(before.to_vec()),
        _ => Err(Fault::argument(format!(
            "`{what}` has the shape {shape:?}: give pairs of x and y, as in an array of the shape \
             (n, 2)"
        ))),
    }
}

/// Reads rectangles: x, y, width and height along the last axis.
pub(crate) fn areas(what: &str, given: &Bound<'_, PyAny>) -> Result<Vec<CellRect>, Fault> {
    let found = whole(what, given, I32)?;
    if !matches!(found.shape[..], [4] | [_, 4] | [0]) {
        return Err(Fault::argument(format!(
            "`{what}` has the shape {:?}: give x, y, width and height of each rectangle",
            found.shape
        )));
    }
    let areas = found.values.chunks_exact(4).map(|area| {
        let place = |value: i64| {
            i32::try_from(value).map_err(|_| out_of_range(what, value, I32[0], I32[1]))
        };
        let side = |value: i64| {
            u32::try_from(value).map_err(|_| out_of_range(what, value, U32[0], U32[1]))
        };
        Ok(CellRect::new(
            place(area[0])?,
            place(area[1])?,
            side(area[2])?,
            side(area[3])?,
        ))
    });
    areas.collect()
}

/// Reads one rectangle.
pub(crate) fn area(what: &str, given: &Bound<'_, PyAny>) -> Result<CellRect, Fault> {
    match areas(what, given)?[..] {
        [area] => Ok(area),
        _ => Err(Fault::argument(format!(
            "`{what}` is not one rectangle: give x, y, width and height"
        ))),
    }
}

/// Takes values, one for each of `count`, or one for all of them. `one` is what a value is called,
/// `axes` what the caller's array had besides the shape.
pub(crate) fn each<T: Clone>(
    what: &str,
    found: Shaped<T>,
    count: usize,
    (one, axes): (&str, &[usize]),
) -> Result<Vec<T>, Fault> {
    match (&found.shape[..], &found.values[..]) {
        ([], [value]) => Ok(vec![value.clone(); count]),
        ([length], _) if *length == count => Ok(found.values),
        _ => Err(Fault::argument(format!(
            "`{what}` has the shape {:?}: give one {one} by itself, or {count} of them, one for each",
            [&found.shape, axes].concat()
        ))),
    }
}

/// For `each`: values that are numbers.
pub(crate) const NUMBER: (&str, &[usize]) = ("number", &[]);

/// Reads a list of ids or other numbers from 0 on.
pub(crate) fn numbers(what: &str, given: &Bound<'_, PyAny>) -> Result<Vec<u32>, Fault> {
    let found = narrow::<u32>(what, given, U32)?;
    match found.shape[..] {
        [] | [_] => Ok(found.values),
        _ => Err(Fault::argument(format!(
            "`{what}` has the shape {:?}: give a list of whole numbers",
            found.shape
        ))),
    }
}

/// Reads a whole number of 0 to 255 for each of `count`, or one for all of them.
pub(crate) fn bytes_for(
    what: &str,
    given: &Bound<'_, PyAny>,
    count: usize,
) -> Result<Vec<u8>, Fault> {
    each(what, narrow(what, given, [0, 255])?, count, NUMBER)
}

/// Reads exactly `N` whole numbers of a type.
pub(crate) fn just<T: TryFrom<i64>, const N: usize>(
    what: &str,
    given: &Bound<'_, PyAny>,
    bounds: [i64; 2],
) -> Result<[T; N], Fault> {
    let Shaped { values, shape } = narrow(what, given, bounds)?;
    let found = values.try_into().ok().filter(|_| shape.len() == 1);
    found.ok_or_else(|| {
        Fault::argument(format!(
            "`{what}` has the shape {shape:?}: give a list of {N} whole numbers"
        ))
    })
}

/// Reads a number from 0 on for each of `count`, or one for all of them.
pub(crate) fn numbers_for(
    what: &str,
    given: &Bound<'_, PyAny>,
    count: usize,
) -> Result<Vec<u32>, Fault> {
    each(what, narrow(what, given, U32)?, count, NUMBER)
}

/// Reads floats; whole numbers will do.
pub(crate) fn floats(what: &str, given: &Bound<'_, PyAny>) -> Result<Shaped<f32>, Fault> {
    let array = array(what, given)?;
    let shape = array.shape().to_vec();
    let dtype = array.dtype();
    let values = if array.is_empty() {
        Vec::new()
    } else if array.cast::<PyArrayDyn<f32>>().is_ok() {
        values(what, &array, "f4")?
    } else if matches!(dtype.kind(), b'f' | b'i' | b'u') {
        let wide: Vec<f64> = values(what, &array, "f8")?;
        wide.into_iter().map(|value| value as f32).collect()
    } else {
        return Err(Fault::argument(format!(
            "`{what}` is an array of {dtype}: give numbers"
        )));
    };
    Ok(Shaped { values, shape })
}

/// Reads a float for each of `count`, or one for all of them.
pub(crate) fn floats_for(
    what: &str,
    given: &Bound<'_, PyAny>,
    count: usize,
) -> Result<Vec<f32>, Fault> {
    each(what, floats(what, given)?, count, NUMBER)
}

/// Reads points: pairs of x and y along the last axis.
pub(crate) fn points(what: &str, given: &Bound<'_, PyAny>) -> Result<Shaped<[f32; 2]>, Fault> {
    let found = floats(what, given)?;
    let shape = pairs(what, &found.shape)?;
    let values = found.values.chunks_exact(2);
    Ok(Shaped {
        values: values.map(|point| [point[0], point[1]]).collect(),
        shape,
    })
}

/// Reads one point.
pub(crate) fn point(what: &str, given: &Bound<'_, PyAny>) -> Result<[f32; 2], Fault> {
    match points(what, given)?.values[..] {
        [point] => Ok(point),
        _ => Err(Fault::argument(format!(
            "`{what}` is not one point: give a pair of x and y"
        ))),
    }
}

/// An array for Python.
pub(crate) type Made<'py, T> = Bound<'py, PyArrayDyn<T>>;

/// Returns values as an array of a shape.
pub(crate) fn made<'py, T: Element>(
    py: Python<'py>,
    values: Vec<T>,
    shape: &[usize],
) -> Result<Made<'py, T>, Fault> {
    Ok(values.into_pyarray(py).reshape(shape)?)
}

/// Returns costs as an array that cannot be written to: that would look like an edit of the world,
/// and be none.
pub(crate) fn fixed<'py>(
    py: Python<'py>,
    values: Vec<u8>,
    shape: &[usize],
) -> Result<Made<'py, u8>, Fault> {
    let array = made(py, values, shape)?;
    array.readwrite().make_nonwriteable();
    Ok(array)
}

/// Writes values into the caller's array, or into a new one.
pub(crate) fn give<'py, T: Element + Copy>(
    py: Python<'py>,
    values: Vec<T>,
    shape: &[usize],
    out: Option<&Bound<'py, PyAny>>,
) -> Result<Made<'py, T>, Fault> {
    let Some(out) = out else {
        return made(py, values, shape);
    };
    let wanted = || {
        let dtype = numpy::dtype::<T>(py);
        format!("give an array of {dtype} of the shape {shape:?} that can be written to")
    };
    let array = out
        .cast::<PyArrayDyn<T>>()
        .map_err(|_| Fault::argument(format!("`out` has another type: {}", wanted())))?;
    if array.shape() != shape {
        let text = format!("`out` has the shape {:?}: {}", array.shape(), wanted());
        return Err(Fault::argument(text));
    }
    let mut writer = array
        .try_readwrite()
        .map_err(|error| Fault::argument(format!("`out`: {error}: {}", wanted())))?;
    // The slice of an array in columns is one too; and a field of packed records has no even strides.
    match writer.as_slice_mut() {
        Ok(slice) if array.is_c_contiguous() => {
            slice.copy_from_slice(&values);
        }
        _ => {
            drop(writer);
            let numpy = py.import("numpy")?;
            numpy.call_method1("copyto", (array, made(py, values, shape)?))?;
        }
    }
    Ok(array.clone())
}
