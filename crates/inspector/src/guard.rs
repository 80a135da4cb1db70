//! Who may talk to the server: the page that it serves, and nobody else's.
//!
//! A page of another site can make a browser send requests to this machine. Two
//! headers tell them apart. `Host` must be an address and not a name (or
//! `localhost`): a name could be made to point here after the browser has
//! looked at it (DNS rebinding). And `Origin`, which browsers send with every
//! WebSocket and every upload, must be the page's own.

use std::net::{IpAddr, SocketAddr};

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

/// From where pages may be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// From this machine alone.
    Local,
    /// From wherever the address can be reached.
    Remote,
}

/// Whether a request may be answered; why not, if not.
pub(crate) fn check(
    headers: &HeaderMap,
    own: SocketAddr,
    reach: Reach,
) -> Result<(), &'static str> {
    let host = single(headers, &HOST).ok_or("no single Host header")?;
    if !is_own_host(host, own, reach) {
        return Err("this server is not called that: use the address that it printed");
    }
    if headers.get(ORIGIN).is_some() {
        let origin = single(headers, &ORIGIN).ok_or("no single Origin header")?;
        if origin.strip_prefix("http://") != Some(host) {
            return Err("a page of another origin");
        }
    }
    Ok(())
}

fn single<'a>(headers: &'a HeaderMap, name: &axum::http::HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

fn is_own_host(host: &str, own: SocketAddr, reach: Reach) -> bool {
    if let Some(port) = host.strip_prefix("localhost:") {
        return port == own.port().to_string();
    }
    let Ok(address) = host.parse::<SocketAddr>() else {
        // Browsers leave the port out where it is 80.
        return own.port() == 80 && host.parse::<IpAddr>().is_ok_and(|ip| is_own_ip(ip, reach));
    };
    address.port() == own.port() && is_own_ip(address.ip(), reach)
}

fn is_own_ip(ip: IpAddr, reach: Reach) -> bool {
    reach == Reach::Remote || ip.is_loopback()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn asked(host: &str, origin: Option<&str>, reach: Reach) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_str(host).unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        check(&headers, "127.0.0.1:4711".parse().unwrap(), reach).is_ok()
    }

    #[test]
    fn own_names_and_the_own_page_pass_and_others_do_not() {
        for host in ["127.0.0.1:4711", "localhost:4711", "[::1]:4711"] {
            assert!(asked(host, None, Reach::Local), "{host}");
            assert!(asked(host, Some(&format!("http://{host}")), Reach::Local));
        }
        for host in [
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost",
            "evil.example:4711",
            "127.0.0.1.evil.example:4711",
            "192.168.1.9:4711",
            "0.0.0.0:4711",
            "",
        ] {
            assert!(!asked(host, None, Reach::Local), "{host}");
        }
        for origin in [
            "http://evil.example",
            "https://127.0.0.1:4711",
            "http://127.0.0.1:4712",
            "http://localhost:4711",
            "null",
            "",
        ] {
            assert!(
                !asked("127.0.0.1:4711", Some(origin), Reach::Local),
                "{origin}"
            );
        }
        assert!(asked("192.168.1.9:4711", None, Reach::Remote));
        assert!(!asked("evil.example:4711", None, Reach::Remote));
    }
}
