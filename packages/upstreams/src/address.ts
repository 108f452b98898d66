/** Of a request: whose connections it takes, and what it asks them for. */
export interface Address {
  origin: string;
  /** With the query. */
  path: string;
}

const REMEMBERED = 1_000;
const MAX_CHARACTERS = 512;
/** Texts and speech of a model go to one address; those of jobs name their job, and push the others out now and then. */
const known = new Map<string, Address>();

/** @throws TypeError for what is no URL. */
export function addressOf(url: string): Address {
  const last = known.get(url);
  if (last !== undefined) return last;
  const { origin, pathname, search } = new URL(url);
  const address = { origin, path: `${pathname}${search}` };
  if (url.length > MAX_CHARACTERS) return address;
  if (known.size >= REMEMBERED) known.clear();
  known.set(url, address);
  return address;
}
