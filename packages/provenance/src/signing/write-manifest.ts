import { createHash, randomUUID } from 'node:crypto';
import type { MadeOf } from '@mediagate/media';
import { version } from '../../package.json';
import { boxesOf, childOf, MAX_BOXES, readSuperbox, type Superbox } from '../c2pa/jumbf';
import { CarrierError } from '../piece-reader';
import type { Signer } from './signer';
import { encodeCbor, type Writable } from './write-cbor';
import { box, superbox } from './write-jumbf';

/** The statements of a manifest about a file. */
export interface Statement {
  /** The last part of the IPTC digital source type. */
  sourceType: string;
  /** An opaque id, by which whoever runs the service finds the job. */
  taskId: string;
  at: Date;
  /** Files of the caller that the model was given. */
  inputs?: readonly InputFile[] | undefined;
  /** The vendor's manifest: its store stands in the new one, as what the file was made of. */
  parent?: Parent | undefined;
}

/** The only manifest of a vendor's file, which was found valid and says that a model made the file. */
export interface Parent {
  store: Buffer;
  contentType: string;
  sourceType: string;
  /** The work on the vendor's file since; absent: none. */
  actions?: MadeOf['actions'] | undefined;
}

export interface InputFile {
  title: string;
  /** Null: not looked at. */
  contentType: string | null;
  /** Hexadecimal; null: the bytes were not at hand. */
  sha256: string | null;
  /** The file's own store of manifests, which was found valid: it stands in the new store, too. */
  store?: Buffer | undefined;
}

/** The assertion that binds a manifest to the file's bytes. */
export interface Binding {
  label: 'c2pa.hash.data' | 'c2pa.hash.bmff.v3';
  fields: { readonly [name: string]: Writable };
}

/** A manifest whose binding is not known yet. Its store has as many bytes for each binding of the same size. */
export interface Draft {
  bytesWith(binding: Binding): number;
  signedWith(binding: Binding): Promise<Buffer>;
}

const PRODUCT = { name: 'mediagate', version };
const SOURCE_TYPES = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

export function draftManifest(signer: Signer, statement: Statement): Draft {
  const label = `urn:c2pa:${randomUUID()}`;
  const instanceID = `xmp:iid:${randomUUID()}`;
  const { manifests, newestOf } = carriedManifests(statement);
  const assertions = assertionsOf(statement, newestOf);
  const write = (binding: Binding) => {
    const all = [assertion(binding.label, binding.fields), ...assertions];
    const claim = encodeCbor({
      instanceID,
      claim_generator_info: PRODUCT,
      signature: `self#jumbf=/c2pa/${label}/c2pa.signature`,
      created_assertions: all.map(referenceTo),
      alg: 'sha256',
    });
    const storeWith = (signature: Buffer) =>
      superbox(
        'c2pa',
        'c2pa',
        ...manifests.map(({ content }) => box('jumb', content)),
        superbox(
          'c2ma',
          label,
          superbox('c2as', 'c2pa.assertions', ...all.map(({ bytes }) => bytes)),
          superbox('c2cl', 'c2pa.claim.v2', box('cbor', claim)),
          superbox('c2cs', 'c2pa.signature', box('cbor', signature)),
        ),
      );
    return { claim, storeWith };
  };
  return {
    bytesWith: (binding) => write(binding).storeWith(Buffer.alloc(signer.signatureBytes)).length,
    async signedWith(binding) {
      const { claim, storeWith } = write(binding);
      return storeWith(await signer.sign(claim));
    },
  };
}

interface Carried {
  manifests: readonly Superbox[];
  /** The newest manifest of a store that is carried on. */
  newestOf(store: Buffer | undefined): Superbox | undefined;
}

/** The new manifest needs room beside those that are carried on: a store of more boxes than readers take would be read by none. */
const MAX_CARRIED_BOXES = MAX_BOXES - 1000;

export function isCarriable(store: Buffer): boolean {
  return boxesOf(readSuperbox(store)) <= MAX_CARRIED_BOXES;
}

/**
 * One manifest may stand in several stores. An input's store is left out that has another one under a label which is there already, or
 * too many boxes.
 */
function carriedManifests({ parent, inputs = [] }: Statement): Carried {
  const byLabel = new Map<string, Superbox>();
  const newest = new Map<Buffer, Superbox | undefined>();
  let boxes = 0;
  for (const store of parent === undefined ? inputs.map((input) => input.store) : [parent.store]) {
    if (store === undefined || newest.has(store)) continue;
    const read = readSuperbox(store);
    const isTooMuch = boxes + boxesOf(read) > MAX_CARRIED_BOXES;
    const { children } = read;
    const isOther = children.some(({ label, content }) => byLabel.get(label)?.content.equals(content) === false);
    if (isTooMuch || isOther) continue;
    boxes += boxesOf(read);
    for (const child of children) byLabel.set(child.label, child);
    newest.set(store, children.at(-1));
  }
  return { manifests: [...byLabel.values()], newestOf: (store) => store && newest.get(store) };
}

interface Assertion {
  label: string;
  bytes: Buffer;
}

function assertion(label: string, fields: Writable): Assertion {
  return { label, bytes: superbox('cbor', label, box('cbor', encodeCbor(fields))) };
}

/** A reference has the hash of a box behind its length and type. */
function referenceTo({ label, bytes }: Assertion): { url: string; hash: Buffer } {
  return { url: `self#jumbf=c2pa.assertions/${label}`, hash: sha256(bytes.subarray(8)) };
}

/** A file is created, or it is one that was opened, whose own manifest says how it was created. */
function assertionsOf(
  { sourceType, taskId, at, parent, inputs = [] }: Statement,
  newestOf: Carried['newestOf'],
): Assertion[] {
  const contents =
    parent === undefined
      ? inputs.map((input) => inputOf(input, newestOf(input.store)))
      : [{ 'dc:format': parent.contentType, relationship: 'parentOf', ...carriedBy(newestOf(parent.store)) }];
  const ingredients = contents.map((content, index) =>
    assertion(`c2pa.ingredient.v3${index === 0 ? '' : `__${index}`}`, content),
  );
  const done = { when: at, softwareAgent: PRODUCT };
  const first = {
    action: parent === undefined ? 'c2pa.created' : 'c2pa.opened',
    ...done,
    digitalSourceType: `${SOURCE_TYPES}${sourceType}`,
    ...(ingredients.length > 0 && { parameters: { ingredients: ingredients.map(referenceTo) } }),
  };
  const since = parent?.actions?.map((word) => ({ action: `c2pa.${word}`, ...done })) ?? [];
  const task = assertion('mediagate.task', { id: taskId });
  return [...ingredients, assertion('c2pa.actions.v2', { actions: [first, ...since] }), task];
}

/** Where nobody else has said an id of the file, its hash is one. */
function inputOf({ title, contentType, sha256 }: InputFile, manifest: Superbox | undefined): Writable {
  return {
    'dc:title': title,
    ...(contentType !== null && { 'dc:format': contentType }),
    ...(sha256 !== null && { instanceID: `sha256:${sha256}` }),
    relationship: 'inputTo',
    ...(manifest && carriedBy(manifest)),
  };
}

/** Says which manifest of the store an ingredient has, and what was found of it. */
function carriedBy(manifest: Superbox | undefined) {
  const signature = manifest && childOf(manifest, 'c2pa.signature');
  if (manifest === undefined || signature === undefined) throw new CarrierError('it holds no claim');
  const url = `self#jumbf=/c2pa/${manifest.label}`;
  const signatureUrl = `${url}/c2pa.signature`;
  return {
    // No list of trust is asked whether the vendor's certificate is one to trust.
    validationResults: {
      activeManifest: {
        success: [{ code: 'claimSignature.validated', url: signatureUrl }],
        informational: [],
        failure: [{ code: 'signingCredential.untrusted', url: signatureUrl }],
      },
    },
    activeManifest: { url, hash: sha256(manifest.content) },
    claimSignature: { url: signatureUrl, hash: sha256(signature.content) },
  };
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
