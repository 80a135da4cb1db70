//! The page: files built into the program.

/// A file of the page.
pub(crate) struct Asset {
    /// The path in a request.
    pub(crate) path: &'static str,
    /// The media type.
    pub(crate) kind: &'static str,
    pub(crate) body: &'static str,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// A script of the page.
macro_rules! script {
    ($name:literal) => {
        Asset {
            path: concat!("/", $name),
            kind: SCRIPT,
            body: include_str!(concat!("../page/", $name)),
        }
    };
}

/// All files.
pub(crate) const ASSETS: [Asset; 26] = [
    Asset {
        path: "/",
        kind: "text/html; charset=utf-8",
        body: include_str!("../page/index.html"),
    },
    Asset {
        path: "/style.css",
        kind: "text/css; charset=utf-8",
        body: include_str!("../page/style.css"),
    },
    Asset {
        path: "/favicon.ico",
        kind: "image/svg+xml",
        body: include_str!("../page/icon.svg"),
    },
    script!("main.js"),
    script!("link.js"),
    script!("tour.js"),
    script!("first.js"),
    script!("wire.js"),
    script!("store.js"),
    script!("camera.js"),
    script!("picture.js"),
    script!("shaders.js"),
    script!("overlay.js"),
    script!("tiles.js"),
    script!("lines.js"),
    script!("numbers.js"),
    script!("scale.js"),
    script!("streams.js"),
    script!("banners.js"),
    script!("gallery.js"),
    script!("ghosts.js"),
    script!("trails.js"),
    script!("views.js"),
    script!("input.js"),
    script!("panels.js"),
    script!("time.js"),
];

/// The page may load only its own files, and talk only to this server.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";
