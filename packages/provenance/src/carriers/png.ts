import { MAX_PARTS, type PieceReader } from '../piece-reader';
import { type Carrier, type FoundCarriers, NO_END } from './carrier';

const SIGNATURE_BYTES = 8;
/** Length and type. */
const HEAD_BYTES = 8;
const CHECKSUM_BYTES = 4;
/** A keyword has at most 79 characters; flags, a language and a translated keyword follow. */
const TEXT_HEAD_BYTES = 512;
const TEXTS: readonly string[] = ['iTXt', 'tEXt', 'zTXt'];

/** `caBX` carries C2PA; `iTXt` and `tEXt` carry XMP and labels, before the pixels or behind them. */
export async function carriersOfPng(file: PieceReader): Promise<FoundCarriers> {
  const carriers: Carrier[] = [];
  let position = SIGNATURE_BYTES;
  let problem: string | undefined;
  for (let chunks = 0; chunks < MAX_PARTS && position + HEAD_BYTES < file.totalBytes; chunks += 1) {
    const head = await file.read(position, HEAD_BYTES);
    const type = head.toString('latin1', 4, 8);
    if (type === 'IEND') return { carriers, problem };
    const data = { start: position + HEAD_BYTES, end: position + HEAD_BYTES + head.readUInt32BE(0) };
    const frame = { start: position, end: data.end + CHECKSUM_BYTES };
    if (type === 'caBX') carriers.push({ kind: 'c2pa', data: [data], frame });
    if (TEXTS.includes(type)) {
      const text = textIn(await file.read(data.start, Math.min(TEXT_HEAD_BYTES, data.end - data.start)), type);
      if (text === 'unread') problem = 'it has statements that are compressed';
      else if (text) carriers.push({ kind: text.kind, data: [{ start: data.start + text.at, end: data.end }], frame });
    }
    position = frame.end;
  }
  return { carriers, problem: NO_END };
}

const KEYWORDS: Readonly<Record<string, Carrier['kind']>> = {
  'XML:com.adobe.xmp': 'xmp',
  'Raw profile type xmp': 'xmp',
  AIGC: 'aigc',
};

/** The kind of a text, and where it begins in its chunk; undefined for other texts. */
function textIn(head: Buffer, type: string): { kind: Carrier['kind']; at: number } | 'unread' | undefined {
  const keywordEnd = head.indexOf(0);
  const kind = KEYWORDS[head.toString('latin1', 0, Math.max(0, keywordEnd))];
  if (kind === undefined) return undefined;
  if (type === 'zTXt') return 'unread';
  if (type === 'tEXt') return { kind, at: keywordEnd + 1 };
  const isCompressed = head[keywordEnd + 1] !== 0;
  const languageEnd = head.indexOf(0, keywordEnd + 3);
  const translationEnd = languageEnd < 0 ? -1 : head.indexOf(0, languageEnd + 1);
  return isCompressed || translationEnd < 0 ? 'unread' : { kind, at: translationEnd + 1 };
}
