import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { object } from '../json-guards';

/** A file of a caller's as a template says it: its address or data URI. */
export interface ViewedFile {
  field: string;
  role: string;
  value: string;
}

/** A request as templates point into it: inputs and files are lists of addresses by their role. */
export interface RequestView {
  value: JsonObject;
  /** The caller's field that holds a pointer's value. */
  partOf(pointer: string): string;
}

export function viewRequest(request: JsonObject, files: readonly ViewedFile[]): RequestView {
  const { inputs, ...fields } = request;
  const grouped = groupInputs(Array.isArray(inputs) ? inputs : []);
  const value = withoutEmpty({ ...fields, ...grouped, files: groupFiles(files) });
  return { value, partOf: (pointer) => partOf(pointer, files) };
}

/** The other members of an input go into `particulars`: a template that does not name them cannot carry them. */
function groupInputs(inputs: readonly Json[]): JsonObject {
  const addresses: Record<string, Json[]> = {};
  const particulars: Record<string, Json[]> = {};
  for (const { role, url, ...rest } of inputs.filter(isJsonObject)) {
    addresses[String(role)] = [...(addresses[String(role)] ?? []), url ?? null];
    if (Object.keys(rest).length > 0) particulars[String(role)] = [...(particulars[String(role)] ?? []), rest];
  }
  return { inputs: addresses, particulars };
}

function groupFiles(files: readonly ViewedFile[]): JsonObject {
  const groups: Record<string, string[]> = {};
  for (const { role, value } of files) groups[role] = [...(groups[role] ?? []), value];
  return groups;
}

function withoutEmpty(view: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(view).filter(([, value]) => !isJsonObject(value) || Object.keys(value).length > 0),
  );
}

/** The field of the body or request, the role of one of its inputs, or the body's own name of a file. */
function partOf(pointer: string, files: readonly ViewedFile[]): string {
  const [field = '', role = '', index = '0'] = segmentsOf(pointer);
  if (field === 'body') return role;
  if (field === 'inputs' || field === 'particulars') return role;
  if (field !== 'files') return field;
  return files.filter((file) => file.role === role)[Number(index)]?.field ?? role;
}

export function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Undefined: there is no such value. */
export function valueAt(value: Json | undefined, pointer: string): Json | undefined {
  let found = value;
  for (const segment of segmentsOf(pointer)) {
    if (Array.isArray(found)) found = /^\d+$/.test(segment) ? found[Number(segment)] : undefined;
    else found = Object.hasOwn(object(found), segment) ? object(found)[segment] : undefined;
  }
  return found;
}

/** Every value that holds no others, by its pointer. */
export function leavesOf(value: Json, pointer = ''): [pointer: string, value: Json][] {
  if (typeof value !== 'object' || value === null) return [[pointer, value]];
  return Object.entries(value).flatMap(([key, item]) =>
    leavesOf(item as Json, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}
