import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { CarrierError } from '../piece-reader';
import { asBytes, asList, asMap, asText, type Cbor, type CborMap, decodeCbor } from './cbor';
import { childOf, readSuperbox, type Superbox } from './jumbf';
import { readSignature } from './signature';

/** The statements of a manifest, as far as its own bytes tell. */
export interface Manifest {
  issuer: string | null;
  generator: string | null;
  /** The last part of the IPTC digital source type of an action: its own, or else of the manifest whose file it has opened. */
  sourceType: string | null;
  /** Why the manifest is not what its signer made; undefined: it is. */
  problem?: string;
  /** The assertion that binds it to the file's bytes. */
  binding?: { label: string; content: CborMap };
}

/** Hashes that C2PA allows, as Node names them. */
const HASHES: ReadonlySet<unknown> = new Set(['sha256', 'sha384', 'sha512']);
const MAX_WORD_CHARACTERS = 200;
/** Claims of writers name some ten assertions. */
const MAX_REFERENCES = 200;
/** Vendors wrap a manifest once or twice. */
const MAX_PARENTS = 4;

/**
 * Reads the newest manifest of a store, and compares its signature and the hashes of its assertions. Assertions that the claim
 * does not name are not signed, and are not read. The event loop has a turn after each step. @throws CarrierError
 */
export async function readManifest(store: Buffer): Promise<Manifest> {
  const manifests = readSuperbox(store).children;
  const manifest = manifests.at(-1);
  const opened = manifest && openManifest(manifest);
  if (manifest === undefined || opened === undefined) throw new CarrierError('it holds no claim');
  const { claimBytes, claim, references, assertions } = opened;
  await setImmediate();
  const signatureBytes = childOf(manifest, 'c2pa.signature')?.data[0];
  const signature = signatureBytes && readSignature(signatureBytes);
  const problem =
    problemOf(signature?.covers(claimBytes)) ??
    (await faultOf(references, { assertions, redacted: redactedIn(claim) }));
  const binding = bindingAmong(assertions);
  return {
    issuer: shortened(signature?.issuer),
    generator: shortened(generatorOf(claim)),
    sourceType: await sourceTypeOf(opened, manifests),
    ...(problem === undefined ? {} : { problem }),
    ...(binding === undefined ? {} : { binding }),
  };
}

interface OpenManifest {
  claimBytes: Buffer;
  claim: CborMap;
  references: readonly Reference[];
  /** By label: those that the claim names. */
  assertions: ReadonlyMap<string, Superbox>;
}

/** Undefined where it holds no claim. */
function openManifest(manifest: Superbox): OpenManifest | undefined {
  const claimBytes = childOf(manifest, 'c2pa.claim.v2', 'c2pa.claim')?.data[0];
  const claim = claimBytes && asMap(decodeCbor(claimBytes));
  if (claimBytes === undefined || claim === undefined) return undefined;
  const references = referencesIn(claim);
  const assertions = namedBy(references, childOf(manifest, 'c2pa.assertions')?.children ?? []);
  return { claimBytes, claim, references, assertions };
}

interface Reference {
  label: string | undefined;
  algorithm: string;
  hash: Buffer | undefined;
}

function referencesIn(claim: CborMap): Reference[] {
  const lists = ['assertions', 'created_assertions', 'gathered_assertions'].flatMap((name) => asList(claim.get(name)));
  if (lists.length > MAX_REFERENCES) throw new CarrierError(`its claim names more than ${MAX_REFERENCES} assertions`);
  return lists.map((value) => toReference(value, claim));
}

function toReference(value: Cbor, claim: CborMap): Reference {
  const reference = asMap(value);
  const algorithm = asText(reference?.get('alg')) ?? asText(claim.get('alg')) ?? 'sha256';
  return { label: labelIn(reference?.get('url')), algorithm, hash: asBytes(reference?.get('hash')) };
}

/** The last part of an assertion's address is its label. */
function labelIn(address: Cbor): string | undefined {
  const text = asText(address);
  return text?.slice(text.lastIndexOf('/') + 1);
}

function redactedIn(claim: CborMap): Set<string | undefined> {
  return new Set(asList(claim.get('redacted_assertions')).map(labelIn));
}

/** By label; of two with one label the first. */
function namedBy(references: readonly Reference[], boxes: readonly Superbox[]): Map<string, Superbox> {
  const labels = new Set(references.map(({ label }) => label));
  return new Map(boxes.toReversed().flatMap((box) => (labels.has(box.label) ? [[box.label, box]] : [])));
}

function problemOf(isCovered: boolean | undefined): string | undefined {
  if (isCovered === undefined) return 'it has no signature with a certificate';
  return isCovered ? undefined : 'its signature does not fit its claim';
}

interface Store {
  assertions: ReadonlyMap<string, Superbox>;
  redacted: ReadonlySet<string | undefined>;
}

/** Each assertion is hashed once, however often it is named. */
async function faultOf(references: readonly Reference[], { assertions, redacted }: Store): Promise<string | undefined> {
  const digests = new Map<string, Buffer>();
  for (const { label, algorithm, hash } of references) {
    const assertion = label === undefined ? undefined : assertions.get(label);
    if (label === undefined || (assertion === undefined && !redacted.has(label))) return 'an assertion is missing';
    if (assertion === undefined) continue;
    if (!HASHES.has(algorithm) || hash === undefined) return 'an assertion has a hash of an unknown kind';
    const key = `${algorithm} ${label}`;
    const digest = digests.get(key) ?? createHash(algorithm).update(assertion.content).digest();
    digests.set(key, digest);
    if (!digest.equals(hash)) return 'an assertion was changed after it was signed';
    await setImmediate();
  }
  return undefined;
}

function generatorOf(claim: CborMap): string | undefined {
  const info = claim.get('claim_generator_info');
  const described = asMap(Array.isArray(info) ? info[0] : info);
  const [name, version] = [asText(described?.get('name')), asText(described?.get('version'))];
  if (name === undefined) return asText(claim.get('claim_generator'));
  return version === undefined ? name : `${name} ${version}`;
}

/** A manifest that wraps another one names none itself: it says that it has opened the other's file. */
async function sourceTypeOf(
  opened: OpenManifest,
  manifests: readonly Superbox[],
  parents = MAX_PARENTS,
): Promise<string | null> {
  const own = await sourceTypeAmong(opened.assertions);
  const parent = own === null && parents > 0 ? await parentOf(opened, manifests) : undefined;
  return parent === undefined ? own : sourceTypeOf(parent, manifests, parents - 1);
}

/** The manifest of the file that was opened, where it is the one whose hash was signed. */
async function parentOf(
  { claim, assertions }: OpenManifest,
  manifests: readonly Superbox[],
): Promise<OpenManifest | undefined> {
  for (const [label, { data }] of assertions) {
    if (!label.startsWith('c2pa.ingredient') || data[0] === undefined) continue;
    await setImmediate();
    const ingredient = asMap(decodeCbor(data[0]));
    if (asText(ingredient?.get('relationship')) !== 'parentOf') continue;
    const manifest = ingredient?.get('activeManifest') ?? ingredient?.get('c2pa_manifest');
    const { label: name, algorithm, hash } = toReference(manifest ?? null, claim);
    const found = manifests.find((each) => each.label === name);
    if (found === undefined || hash === undefined || !HASHES.has(algorithm)) return undefined;
    return createHash(algorithm).update(found.content).digest().equals(hash) ? openManifest(found) : undefined;
  }
  return undefined;
}

async function sourceTypeAmong(assertions: ReadonlyMap<string, Superbox>): Promise<string | null> {
  for (const [label, { data }] of assertions) {
    if (!label.startsWith('c2pa.actions') || data[0] === undefined) continue;
    for (const action of asList(asMap(decodeCbor(data[0]))?.get('actions'))) {
      const type = asText(asMap(action)?.get('digitalSourceType'));
      if (type !== undefined) return lastWordOf(type);
    }
    await setImmediate();
  }
  return null;
}

/** Source types are addresses, whose last part is the word. */
export function lastWordOf(address: string): string | null {
  const trimmed = address.trim();
  return shortened(trimmed.slice(Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf(':')) + 1));
}

/** Undefined where there are several: none says which of them is compared. */
function bindingAmong(assertions: ReadonlyMap<string, Superbox>): Manifest['binding'] {
  const [found, ...others] = [...assertions.values()].filter(({ label }) => label.startsWith('c2pa.hash.'));
  const content = found?.data[0] && others.length === 0 ? asMap(decodeCbor(found.data[0])) : undefined;
  return found && content && { label: found.label, content };
}

/** Strangers' words stand in records, so they are short, have no control characters, and end between two characters. */
export function shortened(words: string | null | undefined): string | null {
  const characters = [...(words ?? '').slice(0, 2 * MAX_WORD_CHARACTERS)].slice(0, MAX_WORD_CHARACTERS);
  return (
    characters
      .join('')
      .replace(/\p{Cc}/gu, ' ')
      .trim() || null
  );
}
