import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import type { OptionFault } from '../contract';
import { object } from '../json-guards';
import { fillTemplate } from './fill-template';
import { isRequestPointer } from './request-pointers';
import { segmentsOf, viewRequest } from './request-view';
import { type Form, OUTPUT_ROLES, type Template } from './template';

/** A model that a channel maps to a template, as far as the template has to fit it. */
export interface TemplatedModel {
  id: string;
  /** The vendor's name of the model, under which its template stands. */
  name: string;
  /** The task record's word for the outcome: `image`. */
  kind: string;
  /** Fields that each request of a model of the catalogue has. */
  always?: readonly string[];
  /** For a model that the configuration describes: the fields of its body, and requests that are sure to come. */
  described?: { fields: readonly string[]; requests: readonly JsonObject[] } | undefined;
}

/** Where templates do not fit the models that are mapped to them, though each makes sense by itself. */
export function* fitFaults(options: JsonObject, models: readonly TemplatedModel[]): Generator<OptionFault> {
  for (const [name, template] of Object.entries(object(options['templates']))) {
    const served = models.filter((model) => model.name === name);
    const forms = template as unknown as Template;
    for (const [index, form] of forms.entries()) yield* formFaults(form, served, `templates.${name}[${index}]`);
    for (const model of served) yield* requestFaults(forms, model, `templates.${name}`);
  }
}

/** The output that a task's kind has. */
const ROLES: Readonly<Record<string, (typeof OUTPUT_ROLES)[number]>> = {
  image: 'image',
  video: 'video',
  music: 'audio',
};

function* formFaults(form: Form, models: readonly TemplatedModel[], field: string): Generator<OptionFault> {
  const kinds = OUTPUT_ROLES.filter((role) => models.some(({ kind }) => ROLES[kind] === role));
  if (kinds.length > 0 && kinds.every((kind) => form.output[kind] === undefined)) {
    yield {
      field: `${field}.output.${kinds[0]}`,
      problem: 'is missing: models mapped to the template make nothing else',
    };
  }
  if (models.length === 0) return;
  const views = models.map(({ kind, described }) => (described === undefined ? kind : 'described'));
  const known = new Set(models.flatMap(({ described }) => described?.fields ?? []));
  const pointers = pointersOf(form);
  for (const { pointer, place } of pointers) {
    const [top, name] = segmentsOf(pointer);
    if (top === 'body' && views.includes('described')) {
      if (name !== undefined && !known.has(name))
        yield { field: `${field}.${place}`, problem: 'no model mapped to the template has this field in its input' };
    } else if (!isRequestPointer(pointer, views)) {
      yield { field: `${field}.${place}`, problem: 'no request of a model mapped to the template has a value there' };
    }
  }
  yield* deadFormFaults(new Set(pointers.map(({ pointer }) => segmentsOf(pointer)[0] ?? '')), models, field);
}

/** @param named fields of a request that the form says, or need not say */
function* deadFormFaults(
  named: ReadonlySet<string>,
  models: readonly TemplatedModel[],
  field: string,
): Generator<OptionFault> {
  const unsaid = models.map(({ id, always = [] }) => ({ id, part: always.find((name) => !named.has(name)) }));
  const [first] = unsaid;
  if (first === undefined || unsaid.some(({ part }) => part === undefined)) return;
  yield {
    field,
    problem: `is never sent: every request of ${first.id} has /${first.part}, which stands neither under input nor under accepts`,
  };
}

function* requestFaults(template: Template, { id, described }: TemplatedModel, field: string): Generator<OptionFault> {
  for (const request of described?.requests ?? []) {
    const filled = fillTemplate(template, viewRequest(request, []));
    if (filled.ok) continue;
    const problem = `no form can say an example of ${id}, or its required fields alone: ${filled.lack.part ?? 'the body'}`;
    yield { field, problem };
  }
}

interface PlacedPointer {
  pointer: string;
  /** As `input.prompt.from`. */
  place: string;
}

function pointersOf({ input, accepts = {}, output }: Form): PlacedPointer[] {
  const accepted = Object.keys(accepts).map((pointer) => ({ pointer, place: `accepts.${pointer}` }));
  const { keep_seconds: keep } = output;
  const ofOutput = keep === undefined ? [] : [{ pointer: keep, place: 'output.keep_seconds' }];
  return [...pointersIn(input as JsonObject, 'input'), ...accepted, ...ofOutput];
}

function pointersIn(part: Json, place: string): PlacedPointer[] {
  if (Array.isArray(part)) return part.flatMap((item, index) => pointersIn(item, `${place}[${index}]`));
  if (!isJsonObject(part) || 'literal' in part) return [];
  if (typeof part['from'] === 'string') return [{ pointer: part['from'], place: `${place}.from` }];
  return Object.entries(part).flatMap(([key, item]) => pointersIn(item as Json, `${place}.${key}`));
}
