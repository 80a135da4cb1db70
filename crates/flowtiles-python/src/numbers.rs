//! Single numbers from Python, which are refused in words where they are out of range.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

use crate::errors::Fault;

/// A whole number of a type.
#[derive(Clone, Copy)]
pub(crate) struct Whole<T>(pub(crate) T);

/// The whole numbers of a type.
pub(crate) trait Bounded: TryFrom<i128> {
    const LEAST: i128;
    const MOST: i128;
}

macro_rules! bounded {
    ($($number:ty),*) => {
        $(impl Bounded for $number {
            const LEAST: i128 = <$number>::MIN as i128;
            const MOST: i128 = <$number>::MAX as i128;
        })*
    };
}
bounded!(u8, u16, u32, u64, i32);

impl<'py, T: Bounded> FromPyObject<'_, 'py> for Whole<T> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let refused = |value: &dyn std::fmt::Display| {
            let (least, most) = (T::LEAST, T::MOST);
            let text = format!("{value} is out of range: give a whole number of {least} to {most}");
            PyErr::from(Fault::argument(text))
        };
        let value: i128 = match given.extract() {
            Ok(value) => value,
            Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => {
                return Err(refused(&"a number of over 127 bits"));
            }
            Err(error) => return Err(error),
        };
        T::try_from(value).map(Self).map_err(|_| refused(&value))
    }
}

/// Reads a whole number, for arguments with a default that Python shows.
pub(crate) fn one_whole<T: Bounded>(given: &Bound<'_, PyAny>) -> PyResult<T> {
    given.extract().map(|Whole(value)| value)
}

/// Reads a float, for arguments with a default that Python shows.
pub(crate) fn one_float(given: &Bound<'_, PyAny>) -> PyResult<f32> {
    given.extract().map(|Number(value)| value)
}

impl From<Whole<u32>> for u32 {
    fn from(number: Whole<u32>) -> Self {
        number.0
    }
}

/// A float; a whole number will do.
#[derive(Clone, Copy)]
pub(crate) struct Number(pub(crate) f32);

impl<'py> FromPyObject<'_, 'py> for Number {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let value: PyResult<f64> = given.extract();
        match value {
            Ok(value) => Ok(Self(value as f32)),
            Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => {
                let text = "a number is out of range: give one that fits a float";
                Err(Fault::argument(text).into())
            }
            Err(error) if error.is_instance_of::<PyTypeError>(given.py()) => Err(error),
            Err(error) => Err(Fault::argument(error).into()),
        }
    }
}

/// Changes the fields of a struct that are named by keywords.
///
/// Each field has a type: `Number` or `Whole<T>`. A keyword that names no field is refused with
/// the names of all.
macro_rules! set_fields {
    ($into:expr, $given:expr, { $($field:ident: $kind:ty),* $(,)? }) => {
        for (name, value) in $given.iter() {
            let name: String = name.extract()?;
            match name.as_str() {
                $(stringify!($field) => {
                    let value: $kind = value.extract()?;
                    $into.$field = value.0;
                })*
                other => {
                    let all = [$(stringify!($field)),*].join(", ");
                    return Err($crate::errors::Fault::argument(format!(
                        "there is no setting `{other}`: give some of {all}"
                    )));
                }
            }
        }
    };
}
pub(crate) use set_fields;
