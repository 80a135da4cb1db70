//! The pages outside the sources whose examples run as tests.

#[doc = include_str!("../README.md")]
struct Readme;

#[doc = include_str!("../docs/how-it-works.md")]
struct HowItWorksPage;

#[doc = include_str!("../docs/portal-graphs.md")]
struct PortalGraphsPage;

#[cfg(feature = "steer")]
#[doc = include_str!("../docs/movement.md")]
struct MovementPage;

#[cfg(all(feature = "crowd", feature = "steer"))]
#[doc = include_str!("../docs/crowds.md")]
struct CrowdsPage;

#[doc = include_str!("../docs/save-format.md")]
struct SaveFormatPage;

#[doc = include_str!("../docs/big-maps.md")]
struct BigMapsPage;

#[doc = include_str!("../docs/pictures.md")]
struct PicturesPage;
