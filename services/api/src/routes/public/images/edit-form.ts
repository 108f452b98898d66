import {
  type Failure,
  fieldFailure,
  isJsonObject,
  type Json,
  type JsonObject,
  type MediaBytes,
} from '@mediagate/contracts';
import type { Form, FormFile, FormLimits } from '../../../http/body/multipart-form';
import { parseParameter } from '../../../http/json/nested-json';
import { EDIT_FORM_MAX_BYTES, EDIT_MASK_MAX_BYTES, EDIT_MAX_IMAGES } from '../../../request-limits';
import type { AttachedFiles } from '../../../use-cases/media-gate';

/** The widely used form of an image edit: `image` once or several times, `image[]`, `mask`, and text fields. */
const IMAGE_FIELD = /^image(?:\[\d{0,2}\])?$/;
const MASK_FIELD = 'mask';
const ENTRY = /^(metadata)\[(.+)\]$/;

export function editFormLimits(maxImageBytes: number): FormLimits {
  return {
    maxBytes: EDIT_FORM_MAX_BYTES,
    maxFiles: EDIT_MAX_IMAGES + 1,
    fileMaxBytes(field) {
      if (field === MASK_FIELD) return Math.min(EDIT_MASK_MAX_BYTES, maxImageBytes);
      return IMAGE_FIELD.test(field) ? maxImageBytes : undefined;
    },
  };
}

export interface EditBody {
  body: JsonObject;
  files: AttachedFiles;
  /** Faults of the form, under the form's own names. */
  faults: readonly Failure[];
  /** The form's names of the body's fields that were made of files: `image[0]` for `image_urls[0]`. */
  sentAs: ReadonlyMap<string, string>;
}

/**
 * Turns the form into the JSON body of the same request. Files become entries of `image_urls` and `mask_url` under names
 * made from their content, so that equal forms give equal bodies; `schema` (of the model's body) says which texts are
 * numbers, booleans or lists. Of a form with faults, the body is what remains without them.
 */
export function editFormToBody(form: Form, schema: JsonObject | undefined): EditBody {
  const files = new Map<string, MediaBytes>();
  const attach = ({ bytes, sha256 }: FormFile): string => {
    const url = `https://attached.invalid/${sha256.toString('hex')}`;
    files.set(url, bytes);
    return url;
  };
  const images = form.files.filter(({ field }) => IMAGE_FIELD.test(field)).map(attach);
  const masks = form.files.filter(({ field }) => field === MASK_FIELD).map(attach);
  const faults: Failure[] = [];
  const body = textFields(form, schema, faults);
  addEntries(body, form, faults);
  if (images.length > 0) body['image_urls'] = [...images, ...listOf(body['image_urls'])];
  if (masks.length > 1) faults.unshift(fieldFailure('invalid_parameter', MASK_FIELD, 'must_be_given_once'));
  if (masks[0] !== undefined) {
    if (body['mask_url'] !== undefined) {
      faults.push(fieldFailure('conflicting_parameters', MASK_FIELD, 'not_together', { other: 'mask_url' }));
    }
    body['mask_url'] = masks[0];
  }
  const sentAs = new Map(images.map((_url, index) => [`image_urls[${index}]`, `image[${index}]`]));
  if (masks[0] !== undefined) sentAs.set('mask_url', MASK_FIELD);
  return { body, files, faults, sentAs };
}

function textFields(form: Form, schema: JsonObject | undefined, faults: Failure[]): JsonObject {
  const properties = propertiesOf(schema);
  const body = new Map<string, Json>();
  for (const [name, values] of form.fields) {
    if (ENTRY.test(name)) continue;
    const field = name.endsWith('[]') ? name.slice(0, -2) : name;
    const texts = values.filter((text) => text.trim() !== '');
    if (texts.length === 0) continue;
    // Without a model nobody knows which fields are lists.
    const isList = schema === undefined ? texts.length > 1 : typeOf(properties[field]) === 'array';
    if (texts.length > 1 && !isList) faults.push(fieldFailure('invalid_parameter', field, 'must_be_given_once'));
    body.set(field, isList ? texts : toJson(texts[0] ?? '', typeOf(properties[field])));
  }
  for (const field of form.untakenFiles) {
    const isText = Object.hasOwn(properties, field);
    if (isText) faults.push(fieldFailure('invalid_parameter', field, 'must_be_text_field'));
    else faults.push(fieldFailure('unsupported_parameter', field, 'called_otherwise', { other: 'image' }));
  }
  // Defines each field, where an assignment to `__proto__` would do something else.
  return Object.fromEntries(body);
}

/** `metadata[order]` is the entry `order` of `metadata`, which may also stand whole in a field, as JSON. */
function addEntries(body: JsonObject, { fields }: Form, faults: Failure[]): void {
  for (const [name, values] of fields) {
    const [, field = '', entry = ''] = ENTRY.exec(name) ?? [];
    if (field === '') continue;
    const [text = ''] = values;
    if (values.length > 1) faults.push(fieldFailure('invalid_parameter', name, 'must_be_given_once'));
    const entries = body[field] ?? {};
    if (isJsonObject(entries)) body[field] = Object.fromEntries([...Object.entries(entries), [entry, text]]);
  }
}

function parsedObject(text: string): JsonObject | undefined {
  const value = parseParameter(text);
  return isJsonObject(value) ? value : undefined;
}

function typeOf(property: Json | undefined): Json | undefined {
  return isJsonObject(property) ? property['type'] : undefined;
}

function toJson(text: string, type: Json | undefined): Json {
  if ((type === 'integer' || type === 'number') && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text.trim())) return Number(text);
  if (type === 'object') return parsedObject(text) ?? text;
  if (type === 'boolean' && /^(?:true|false)$/i.test(text.trim())) return text.trim().toLowerCase() === 'true';
  return text;
}

function propertiesOf(schema: JsonObject | undefined): JsonObject {
  const properties = schema?.['properties'];
  return isJsonObject(properties) ? properties : {};
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}
