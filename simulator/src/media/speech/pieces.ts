import type { Content } from '../../assets/content';

/** Sends a file as a vendor sends speech: in pieces, the first of which comes once the file is made. */
export async function* piecesOf(file: Promise<Content>): AsyncGenerator<Buffer> {
  const { lengthBytes, stream } = await file;
  yield* stream({ start: 0, end: lengthBytes - 1 }) as AsyncIterable<Buffer>;
}
