import { createHash } from 'node:crypto';
import { CarrierError } from '../piece-reader';
import { asBytes, asList, asMap, asText, type Cbor, type CborMap, decodeCbor } from './cbor';
import { childOf, readSuperbox, type Superbox } from './jumbf';
import { readSignature } from './signature';

/** The statements of a manifest, as far as its own bytes tell. */
export interface Manifest {
  issuer: string | null;
  generator: string | null;
  /** The last part of the IPTC digital source type of an action. */
  sourceType: string | null;
  /** Why the manifest is not what its signer made; undefined: it is. */
  problem?: string;
  /** The assertion that binds it to the file's bytes. */
  binding?: { label: string; content: CborMap };
}

/** Hashes that C2PA allows, as Node names them. */
const HASHES: ReadonlySet<unknown> = new Set(['sha256', 'sha384', 'sha512']);
const MAX_WORD_CHARACTERS = 200;

/** Reads the newest manifest of a store, and compares its signature and the hashes of its assertions. @throws CarrierError */
export function readManifest(store: Buffer): Manifest {
  const manifest = readSuperbox(store).children.at(-1);
  const claimBytes = manifest && childOf(manifest, 'c2pa.claim.v2', 'c2pa.claim')?.data[0];
  const claim = claimBytes && asMap(decodeCbor(claimBytes));
  if (manifest === undefined || claimBytes === undefined || claim === undefined) {
    throw new CarrierError('it holds no claim');
  }
  const signatureBytes = childOf(manifest, 'c2pa.signature')?.data[0];
  const signature = signatureBytes && readSignature(signatureBytes);
  const assertions = childOf(manifest, 'c2pa.assertions')?.children ?? [];
  const problem = problemOf(signature?.covers(claimBytes), claim, assertions);
  const binding = bindingAmong(assertions);
  return {
    issuer: shortened(signature?.issuer),
    generator: shortened(generatorOf(claim)),
    sourceType: sourceTypeOf(assertions),
    ...(problem === undefined ? {} : { problem }),
    ...(binding === undefined ? {} : { binding }),
  };
}

function problemOf(
  isCovered: boolean | undefined,
  claim: CborMap,
  assertions: readonly Superbox[],
): string | undefined {
  if (isCovered === undefined) return 'it has no signature with a certificate';
  if (!isCovered) return 'its signature does not fit its claim';
  for (const reference of referencesIn(claim)) {
    const fault = faultOf(asMap(reference), claim, assertions);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function referencesIn(claim: CborMap): Cbor[] {
  return ['assertions', 'created_assertions', 'gathered_assertions'].flatMap((name) => asList(claim.get(name)));
}

function faultOf(reference: CborMap | undefined, claim: CborMap, assertions: readonly Superbox[]): string | undefined {
  const label = asText(reference?.get('url'))?.split('/').at(-1);
  const redacted = asList(claim.get('redacted_assertions')).map((url) => asText(url)?.split('/').at(-1));
  const assertion = assertions.find((candidate) => candidate.label === label);
  if (label === undefined || (assertion === undefined && !redacted.includes(label))) return 'an assertion is missing';
  if (assertion === undefined) return undefined;
  const algorithm = asText(reference?.get('alg')) ?? asText(claim.get('alg')) ?? 'sha256';
  const hash = asBytes(reference?.get('hash'));
  if (!HASHES.has(algorithm) || hash === undefined) return 'an assertion has a hash of an unknown kind';
  const isSame = createHash(algorithm).update(assertion.content).digest().equals(hash);
  return isSame ? undefined : 'an assertion was changed after it was signed';
}

function generatorOf(claim: CborMap): string | undefined {
  const info = claim.get('claim_generator_info');
  const described = asMap(Array.isArray(info) ? info[0] : info);
  const [name, version] = [asText(described?.get('name')), asText(described?.get('version'))];
  if (name === undefined) return asText(claim.get('claim_generator'));
  return version === undefined ? name : `${name} ${version}`;
}

function sourceTypeOf(assertions: readonly Superbox[]): string | null {
  for (const { label, data } of assertions) {
    if (!label.startsWith('c2pa.actions') || data[0] === undefined) continue;
    for (const action of asList(asMap(decodeCbor(data[0]))?.get('actions'))) {
      const type = asText(asMap(action)?.get('digitalSourceType'));
      if (type !== undefined) return lastWordOf(type);
    }
  }
  return null;
}

/** Source types are addresses, whose last part is the word. */
export function lastWordOf(address: string): string | null {
  return shortened(address.trim().split(/[/:]/).at(-1));
}

function bindingAmong(assertions: readonly Superbox[]): Manifest['binding'] {
  const found = assertions.find(({ label }) => label.startsWith('c2pa.hash.'));
  const content = found?.data[0] && asMap(decodeCbor(found.data[0]));
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
