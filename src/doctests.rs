//! The pages outside the sources whose examples run as tests. Those that read map files run in
//! `flowtiles-formats`.

#[doc = include_str!("../README.md")]
struct Readme;

#[doc = include_str!("../docs/save-format.md")]
struct SaveFormatPage;

#[doc = include_str!("../docs/guide/big-maps.md")]
struct BigMapsPage;

#[doc = include_str!("../docs/guide/costs-and-layers.md")]
struct CostsAndLayersPage;

#[doc = include_str!("../docs/guide/edits.md")]
struct EditsPage;

#[doc = include_str!("../docs/guide/how-it-works.md")]
struct HowItWorksPage;

#[doc = include_str!("../docs/guide/orders.md")]
struct OrdersPage;

#[doc = include_str!("../docs/guide/pictures.md")]
struct PicturesPage;

#[doc = include_str!("../docs/guide/faq.md")]
struct FaqPage;

/// Pages with armies.
#[cfg(feature = "steer")]
mod with_armies {
    #[doc = include_str!("../docs/guide/armies.md")]
    struct ArmiesPage;

    #[doc = include_str!("../docs/guide/determinism.md")]
    struct DeterminismPage;

    #[doc = include_str!("../docs/guide/fog.md")]
    struct FogPage;

    #[doc = include_str!("../docs/guide/links.md")]
    struct LinksPage;

    #[doc = include_str!("../docs/guide/sizes.md")]
    struct SizesPage;
}

#[cfg(all(feature = "crowd", feature = "steer"))]
#[doc = include_str!("../docs/guide/crowds.md")]
struct CrowdsPage;
