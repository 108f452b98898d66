import { CarrierError } from '../piece-reader';

/** A superbox of JUMBF, the container of manifests. */
export interface Superbox {
  label: string;
  /** All of it behind its length and type: the bytes that a hash of it is made of. */
  content: Buffer;
  /** The data of its content boxes, without superboxes. */
  data: Buffer[];
  children: Superbox[];
}

const HEAD_BYTES = 8;
/** A type of 16 bytes and flags. */
const DESCRIPTION_BYTES = 17;
const HAS_LABEL = 0x02;
const MAX_DEPTH = 8;
/** The limit of a whole store. */
export const MAX_BOXES = 5000;

/** Reads the superbox at the beginning of `bytes`. @throws CarrierError */
export function readSuperbox(bytes: Buffer): Superbox {
  const [first] = boxesIn(bytes);
  if (first === undefined || first.type !== 'jumb') throw new CarrierError('it is no JUMBF');
  return toSuperbox(first.content, { depth: 0, left: MAX_BOXES });
}

interface Bounds {
  depth: number;
  left: number;
}

function toSuperbox(content: Buffer, bounds: Bounds): Superbox {
  if (bounds.depth > MAX_DEPTH) throw new CarrierError('its boxes are nested too deeply');
  const [description, ...rest] = boxesIn(content);
  if (description?.type !== 'jumd') throw new CarrierError('a box of it has no description');
  bounds.left -= rest.length;
  if (bounds.left < 0) throw new CarrierError(`it has more than ${MAX_BOXES} boxes`);
  const data = rest.filter(({ type }) => type !== 'jumb').map((box) => box.content);
  bounds.depth += 1;
  const children = rest.filter(({ type }) => type === 'jumb').map((box) => toSuperbox(box.content, bounds));
  bounds.depth -= 1;
  return { label: labelOf(description.content), content, data, children };
}

/** The boxes in a superbox, at every depth. */
export function boxesOf({ data, children }: Superbox): number {
  return data.length + children.reduce((sum, child) => sum + 1 + boxesOf(child), 0);
}

function labelOf(description: Buffer): string {
  if (description.length <= DESCRIPTION_BYTES || ((description[16] ?? 0) & HAS_LABEL) === 0) return '';
  const end = description.indexOf(0, DESCRIPTION_BYTES);
  return description.toString('utf8', DESCRIPTION_BYTES, end < 0 ? description.length : end);
}

function boxesIn(bytes: Buffer): { type: string; content: Buffer }[] {
  const boxes: { type: string; content: Buffer }[] = [];
  let position = 0;
  while (position + HEAD_BYTES <= bytes.length && boxes.length <= MAX_BOXES) {
    const length = bytes.readUInt32BE(position);
    const end = length === 0 ? bytes.length : position + length;
    if (end > bytes.length || end < position + HEAD_BYTES) throw new CarrierError('a box of it is cut off');
    const type = bytes.toString('latin1', position + 4, position + HEAD_BYTES);
    boxes.push({ type, content: bytes.subarray(position + HEAD_BYTES, end) });
    position = end;
  }
  return boxes;
}

export function childOf(box: Superbox, ...labels: string[]): Superbox | undefined {
  return box.children.find(({ label }) => labels.includes(label));
}
