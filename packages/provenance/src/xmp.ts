import { lastWordOf, shortened } from './c2pa/manifest';

/** The statements of XMP about a file's origin. */
export interface XmpOrigin {
  sourceType: string | null;
  issuer: string | null;
  generator: string | null;
  /** The Chinese label, which some writers put into XMP. */
  label: string | undefined;
  /** The host at which a manifest of the file stands, where it says one. */
  manifestHost: string | null;
}

/** Each pattern goes a bounded way from its name, so that a text of names alone takes no longer than another. */
const VALUE = /^\s{0,20}(?:=\s{0,20}["']|>|[^<>]{0,100}resource\s{0,20}=\s{0,20}["'])\s{0,20}([^"'<]{1,2000})/;

export function readXmp(text: string): XmpOrigin {
  const sourceType = propertyIn(text, 'DigitalSourceType');
  return {
    sourceType: sourceType === undefined ? null : lastWordOf(sourceType),
    issuer: shortened(propertyIn(text, 'photoshop:Credit')),
    generator: shortened(propertyIn(text, 'xmp:CreatorTool')),
    manifestHost: hostOf(propertyIn(text, 'dcterms:provenance')),
    label: propertyIn(text, 'TC260:AIGC')?.replaceAll('&quot;', '"'),
  };
}

/** An address within the file itself is none of a host. */
function hostOf(address: string | undefined): string | null {
  const url = URL.parse(address?.trim() ?? '');
  return url && /^https?:$/.test(url.protocol) ? shortened(url.host) : null;
}

/** The value of the first property of that name, as an attribute or an element. */
function propertyIn(text: string, name: string): string | undefined {
  const at = text.indexOf(name);
  return at < 0 ? undefined : VALUE.exec(text.slice(at + name.length, at + name.length + 2500))?.[1];
}
