/** The part of the catalogue's JSON Schemas that a form is made of. */
export interface FieldSchema {
  type?: string | string[];
  enum?: (string | number)[];
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxLength?: number;
  maxItems?: number;
  items?: { type?: string };
}

export type Values = Readonly<Record<string, unknown>>;
export type FieldKind = 'choice' | 'switch' | 'number' | 'line' | 'text' | 'list' | 'json';

/** The fields of every submission, whatever the model; they stand below the others. */
const COMMON = ['webhook', 'metadata', 'max_cost', 'expires_in', 'language', 'nsfw_check'];
/** A longer text gets several lines. */
const LINE_CHARACTERS = 200;
const TEXTS = ['prompt', 'input', 'gpt_description', 'negative_prompt', 'instructions', 'lyrics'];

export function kindOf(name: string, { type, enum: choices, items, maxLength }: FieldSchema): FieldKind {
  if (choices !== undefined) return 'choice';
  if (type === 'boolean') return 'switch';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'array') return items?.type === 'string' ? 'list' : 'json';
  if (type === 'object') return 'json';
  const isLong =
    TEXTS.includes(name) || (maxLength !== undefined && maxLength > LINE_CHARACTERS && !name.includes('url'));
  return isLong ? 'text' : 'line';
}

export interface Field {
  name: string;
  schema: FieldSchema;
  required: boolean;
}

interface Schema {
  required?: string[];
  properties: Record<string, FieldSchema>;
}

/** A model's own fields, those that must be there first, and the common ones. */
export function fieldsOf({ required = [], properties }: Schema): { own: Field[]; common: Field[] } {
  const all = Object.entries(properties)
    .filter(([name]) => name !== 'model')
    .map(([name, schema]) => ({ name, schema, required: required.includes(name) }));
  const own = all.filter(({ name }) => !COMMON.includes(name));
  return {
    own: own.toSorted((one, other) => rank(one) - rank(other)),
    common: all.filter(({ name }) => COMMON.includes(name)),
  };
}

function rank({ name, required }: Field): number {
  if (TEXTS.includes(name)) return 0;
  return required ? 1 : 2;
}

/** The body that is sent, without empty fields, so that the model's defaults apply. */
export function bodyOf(model: string, values: Values): Record<string, unknown> {
  const given = Object.entries(values).filter(([, value]) => !isEmpty(value));
  return { model, ...Object.fromEntries(given) };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** The fields of an earlier task's body, or of an example, that this form has. */
export function knownValues({ properties }: Schema, body: Values): Values {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'model' && name in properties));
}
