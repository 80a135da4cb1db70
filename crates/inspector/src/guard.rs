//! Access control: only the page that the server itself serves may talk to it.
//!
//! A page of another site can make a browser send requests to this machine. Two
//! headers distinguish such requests. `Host` must be an address and not a name
//! (or it must be `localhost`): a name could be made to point here after the
//! browser has looked it up (DNS rebinding). `Origin`, which browsers send with
//! every WebSocket and every upload, must be the page's own; it is required
//! there, so a request without it does not come from a page and is refused.
//! When a file is saved, browsers send no `Origin`, but `Sec-Fetch-Site` states
//! whose page asks. A page of another site could not read the answer, and is
//! refused before there is one.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{HOST, ORIGIN, UPGRADE};
use axum::http::{HeaderMap, HeaderName, Method, Uri};

/// The addresses from which pages may be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// This machine only.
    Local,
    /// Every machine that can reach the address.
    Remote,
}

/// The header that states whose page asks.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Checks whether a request may be answered; the error is the reason if not.
pub(crate) fn check(
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    own: SocketAddr,
    reach: Reach,
) -> Result<(), &'static str> {
    let host = single(headers, &HOST).ok_or("no single Host header")?;
    if !is_own_host(host, own, reach) {
        return Err("this server is not called that: use the address that it printed");
    }
    let changes = *method != Method::GET || headers.contains_key(UPGRADE);
    if changes || headers.contains_key(ORIGIN) {
        let missing = "no single Origin header: send the address of this page as the Origin";
        let origin = single(headers, &ORIGIN).ok_or(missing)?;
        if origin.strip_prefix("http://") != Some(host) {
            return Err("a page of another origin");
        }
    }
    if uri.path().starts_with("/file/") && headers.contains_key(&SITE) {
        let site = single(headers, &SITE).unwrap_or_default();
        if !["same-origin", "none"].contains(&site) {
            return Err("a page of another site");
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
        // Browsers omit the port if it is 80.
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
        may(&Method::GET, "/", &headers, reach)
    }

    fn may(method: &Method, path: &str, headers: &HeaderMap, reach: Reach) -> bool {
        let own = "127.0.0.1:4711".parse().unwrap();
        check(method, &path.parse().unwrap(), headers, own, reach).is_ok()
    }

    #[test]
    fn what_changes_something_needs_the_pages_origin() {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_static("127.0.0.1:4711"));
        let asked = |method, path, headers: &_| may(method, path, headers, Reach::Local);
        assert!(asked(&Method::GET, "/file/map", &headers));
        for method in &[Method::POST, Method::PUT, Method::DELETE] {
            assert!(!asked(method, "/file/a.map", &headers), "{method}");
        }
        let mut upgrade = headers.clone();
        upgrade.insert(UPGRADE, HeaderValue::from_static("websocket"));
        assert!(!asked(&Method::GET, "/live", &upgrade));
        for headers in [&mut headers, &mut upgrade] {
            headers.insert(ORIGIN, HeaderValue::from_static("http://127.0.0.1:4711"));
        }
        assert!(asked(&Method::POST, "/file/a.map", &headers));
        assert!(asked(&Method::GET, "/live", &upgrade));
    }

    #[test]
    fn files_are_not_saved_for_pages_of_other_sites() {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_static("127.0.0.1:4711"));
        for (site, passes) in [
            ("same-origin", true),
            ("none", true),
            ("same-site", false),
            ("cross-site", false),
            ("", false),
        ] {
            headers.insert(SITE, HeaderValue::from_static(site));
            let asked = |path| may(&Method::GET, path, &headers, Reach::Local);
            assert_eq!(asked("/file/world"), passes, "{site}");
            assert!(asked("/"), "a link may lead to the page");
        }
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
