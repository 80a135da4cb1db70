//! The page of a report: one file, with its pictures inside and no script.

use std::fmt::Write;

use flowtiles::inspect::{Key, KeyEntry, Layer, Paint, Ramp};

use crate::support::drawing::svg::escaped;
use crate::support::drawing::{ink, on_ramp};
use crate::support::picture::Colour;

/// The content of a page.
pub struct Page {
    /// The map and the order.
    pub title: String,
    /// The part that is shown, and its scale.
    pub shown: String,
    /// The size of the pictures.
    pub size: [u64; 2],
    /// The columns and rows that have a number, and the pixels from the corner.
    pub rulers: [Vec<(i64, f32)>; 2],
    /// Warnings about the order.
    pub warnings: Vec<String>,
    /// The layers, the lowest first.
    pub images: Vec<Image>,
    /// Names and values.
    pub figures: Vec<(&'static str, String)>,
    /// Text of several lines each.
    pub explanations: Vec<String>,
}

/// A layer as a picture that lies over those before it.
pub struct Image {
    /// The layer.
    pub layer: Layer,
    /// Whether it is visible when the page opens.
    pub is_seen: bool,
    /// A PNG file in base 64.
    pub png: String,
    /// The meanings of its colours.
    pub key: Vec<KeyEntry>,
}

const STYLE: &str = "\
:root{color-scheme:light dark;--paper:#fff;--ink:#18202a;--soft:#5a6472;--line:#d5d9e0;--box:#f5f6f8}
@media(prefers-color-scheme:dark){:root{--paper:#14171c;--ink:#e6e9ee;--soft:#9aa4b2;--line:#343a44;--box:#1d2128}}
*{box-sizing:border-box}
body{margin:0;padding:1.2rem;background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
h1{font-size:1.15rem;margin:0 0 .2rem}h2{font-size:1rem;margin:1.4rem 0 .4rem}
p.soft{color:var(--soft);margin:0 0 1rem}
.sides{display:flex;flex-wrap:wrap;gap:1.2rem;align-items:flex-start}
.map{position:relative;flex:none;max-width:100%;overflow:auto;padding:1.2rem 0 0 3rem}
.sheet{position:relative;background:#fff;outline:1px solid var(--line)}
.sheet img{position:absolute;left:0;top:0;image-rendering:pixelated}
.sheet span{position:absolute;color:var(--soft);font-size:.7rem;line-height:1rem}
.sheet .column{top:-1.1rem;padding-left:.2rem;border-left:1px solid var(--soft)}
.sheet .row{right:100%;padding-right:.3rem;border-top:1px solid var(--soft)}
p.warning{border-left:4px solid #d55400;background:var(--box);padding:.4rem .8rem;margin:0 0 .6rem}
fieldset{border:1px solid var(--line);border-radius:6px;background:var(--box);margin:0;padding:.6rem .9rem;width:24rem;max-width:100%}
legend{padding:0 .4rem;font-weight:600}
.layer{display:grid;grid-template-columns:1.4rem 1fr;padding:.18rem 0}
.layer ul{grid-column:2;list-style:none;margin:0;padding:0;color:var(--soft);font-size:.85rem}
.layer li{display:flex;align-items:center;gap:.4rem}
i{display:inline-block;flex:none;width:.9rem;height:.9rem;border:1px solid var(--soft)}
i.line{height:5px;border:0}i.dot,i.ring{border-radius:50%}i.ring{border:0}.layer li b{width:1rem;filter:drop-shadow(0 0 1px #fff)}i.ramp{width:5rem}
table{border-collapse:collapse}td{padding:.1rem 1.2rem .1rem 0;border-bottom:1px solid var(--line)}
td+td{text-align:right;font-variant-numeric:tabular-nums}
pre{background:var(--box);border:1px solid var(--line);border-radius:6px;padding:.7rem .9rem;white-space:pre-wrap;margin:.4rem 0}
";

impl Page {
    /// Returns the whole page. Writing to a string cannot fail.
    pub fn to_html(&self) -> String {
        let title = escaped(&self.title);
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>\n{STYLE}"
        );
        for Image { layer, .. } in &self.images {
            let _ = writeln!(
                page,
                "body:has(#on-{layer}:not(:checked)) #layer-{layer}{{display:none}}"
            );
        }
        let _ = write!(
            page,
            "</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p class=\"soft\">{}, flowtiles {}</p>\n",
            escaped(&self.shown),
            env!("CARGO_PKG_VERSION")
        );
        for warning in &self.warnings {
            let _ = writeln!(page, "<p class=\"warning\">{}</p>", escaped(warning));
        }
        page.push_str("<div class=\"sides\">\n");
        self.write_map(&mut page);
        self.write_layers(&mut page);
        page.push_str("</div>\n");
        self.write_words(&mut page);
        page.push_str("</body>\n</html>\n");
        page
    }

    fn write_map(&self, page: &mut String) {
        let [width, height] = self.size;
        let _ = writeln!(
            page,
            "<div class=\"map\"><div class=\"sheet\" style=\"width:{width}px;height:{height}px\">"
        );
        let [columns, rows] = &self.rulers;
        for (column, at) in columns {
            let _ = writeln!(
                page,
                "<span class=\"column\" style=\"left:{at}px\">{column}</span>"
            );
        }
        for (row, at) in rows {
            let _ = writeln!(
                page,
                "<span class=\"row\" style=\"top:{at}px\">{row}</span>"
            );
        }
        for Image { layer, png, .. } in &self.images {
            let _ = writeln!(
                page,
                "<img id=\"layer-{layer}\" alt=\"{}\" width=\"{width}\" height=\"{height}\" \
                 src=\"data:image/png;base64,{png}\">",
                layer.says()
            );
        }
        page.push_str("</div></div>\n");
    }

    /// Writes a switch for each layer, with its key.
    fn write_layers(&self, page: &mut String) {
        page.push_str("<fieldset>\n<legend>Layers</legend>\n");
        for image in &self.images {
            let layer = image.layer;
            let checked = if image.is_seen { " checked" } else { "" };
            let _ = writeln!(
                page,
                "<div class=\"layer\"><input type=\"checkbox\" id=\"on-{layer}\" \
                 autocomplete=\"off\"{checked}>\
                 <label for=\"on-{layer}\" title=\"{}\">{layer}</label>\n<ul>",
                layer.says()
            );
            for entry in &image.key {
                let _ = writeln!(page, "<li>{}{}</li>", swatch(entry), escaped(&entry.text));
            }
            page.push_str("</ul></div>\n");
        }
        page.push_str("</fieldset>\n");
    }

    fn write_words(&self, page: &mut String) {
        if !self.explanations.is_empty() {
            page.push_str("<h2>What the order says where units stand</h2>\n");
        }
        for text in &self.explanations {
            let _ = writeln!(page, "<pre>{}</pre>", escaped(text));
        }
        page.push_str("<h2>Figures</h2>\n<table>\n");
        for (name, value) in &self.figures {
            let _ = writeln!(page, "<tr><td>{name}</td><td>{}</td></tr>", escaped(value));
        }
        page.push_str("</table>\n");
    }
}

/// Returns a sample of a colour, or of the colours of a ramp between its values.
fn swatch(entry: &KeyEntry) -> String {
    match &entry.sample {
        Key::Fill(paint) => sample("fill", *paint),
        Key::Line(paint) => sample("line", *paint),
        Key::Arrow(paint) => format!("<b style=\"color:{}\">&#8594;</b>", css(ink(*paint).colour)),
        Key::Dot(paint) => sample("dot", *paint),
        Key::Ring(paint) => {
            let ring = css(ink(*paint).colour);
            let stops = format!("{ring} 0 20%,#fff 20% 40%,{ring} 40% 62%,#fff 62%");
            format!("<i class=\"ring\" style=\"background:radial-gradient(circle,{stops})\"></i>")
        }
        Key::Ramp { ramp, low, high } => format!("{low} {}<span>{high}</span>", gradient(*ramp)),
    }
}

fn sample(class: &str, paint: Paint) -> String {
    let ink = ink(paint);
    let [r, g, b] = ink.colour;
    let part = f32::from(ink.strength) / 255.0;
    format!(
        "<i class=\"{class}\" style=\"background:linear-gradient(rgba({r},{g},{b},{part:.2}) 0 0),#fff\"></i>"
    )
}

fn css([r, g, b]: Colour) -> String {
    format!("rgb({r},{g},{b})")
}

fn gradient(ramp: Ramp) -> String {
    let stops = [0, 64, 128, 191, 255].map(|place| css(on_ramp(ramp, place)));
    let stops = stops.join(",");
    format!("<i class=\"ramp\" style=\"background:linear-gradient(90deg,{stops})\"></i>")
}
