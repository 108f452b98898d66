import { type Json, type JsonObject, type LoadedMedia, type Refused, SOUND_FORMATS } from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Endpoint, FileOutline, Lack, OptionFault, Plan, StartRequest } from '../contract';
import type { Confidential } from '../fault-detail';
import { inlineLack } from '../image-call';
import { JOB_OPTIONS } from '../job-exchange';
import { object, text } from '../json-guards';
import { fileLack } from '../lacks';
import { cannotCarry } from '../vendor-call';
import { fillTemplate } from './fill-template';
import type { KeptPlaces } from './read-output';
import { leavesOf, type RequestView, valueAt, viewRequest } from './request-view';
import type { Form, Template } from './template';
import { templatesFault } from './template-schema';
import { senseFaults } from './template-sense';

/** `templates`: by the vendor's names that the channel maps models to. */
export const TEMPLATE_OPTIONS: OptionRules = { ...JOB_OPTIONS, templates: { kind: 'own' } };

/** The fault in the options of a channel whose models are templates; undefined: none. */
export function templateOptionsFault(
  options: JsonObject,
  names: readonly string[] = [],
  rules: OptionRules = TEMPLATE_OPTIONS,
): string | OptionFault | undefined {
  const { templates = {} } = options;
  const fault = templatesFault(templates) ?? senseFaults(templates as unknown as Record<string, Template>).next().value;
  if (fault) return { ...fault, field: fault.field === '' ? 'templates' : `templates.${fault.field}` };
  const missing = names.find((name) => !Object.hasOwn(object(templates), name));
  if (missing === undefined) return checkAgainst(rules, options);
  return { field: 'templates', problem: `has no "${missing}", which \`models\` names: say there how it is asked for` };
}

/** The part of a request that no form of the template can say. `maxBytes`: the largest file that goes along as a data URI. */
export function templateLack({ request, files, endpoint }: Plan, maxBytes?: number): Lack | undefined {
  const filled = fillTemplate(templateOf(endpoint), viewPlan(request, files));
  if (!filled.ok) return filled.lack;
  if (namesItsFiles(request)) return undefined;
  const image = maxBytes === undefined ? {} : { maxBytes };
  return fileLack(files, { image, mask: image }) ?? inlineLack(files);
}

/** A request in a vendor's words. */
export interface TemplatedJob {
  endpoint: string;
  input: JsonObject;
  places: KeptPlaces;
  /** For a body that is passed on: the caller's names of fields, by the vendor's. */
  fields?: Readonly<Record<string, string>>;
  /** The vendor's names of fields that the template says whatever is asked for. */
  own: readonly string[];
  confidential: Confidential;
}

export function prepareJob({ request, media }: StartRequest, endpoint: Endpoint): TemplatedJob | Refused {
  const view = viewRequest(request, namesItsFiles(request) ? [] : media.map(inline));
  const filled = fillTemplate(templateOf(endpoint), view);
  if (!filled.ok) return cannotCarry(filled.lack);
  const { form, input } = filled;
  const confidential = { apiKey: endpoint.apiKey, prompt: callersWordsOf(request) };
  const job = { endpoint: form.endpoint, input, places: keptPlaces(form, view), own: ownFields(form), confidential };
  return 'body' in request ? { ...job, fields: fieldsOfBody(form, view) } : job;
}

/** A body that goes as a whole has the vendor's names itself. */
function fieldsOfBody({ input }: Form, view: RequestView): Record<string, string> {
  if (input['from'] === '/body')
    return Object.fromEntries(Object.keys(object(view.value['body'])).map((name) => [name, name]));
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, part]) => {
      const pointer = text(object(part)['from']);
      return pointer === undefined ? [] : [[name, view.partOf(pointer)]];
    }),
  );
}

function ownFields({ input }: Form): string[] {
  const isAsked = (part: Json) => leavesOf(part).some(([pointer]) => /(?:^|\/)from$/.test(pointer));
  return Object.entries(input).flatMap(([name, part]) => (isAsked(part as Json) ? [] : [name]));
}

/** A model without a template is the operator's mistake, which the check of the options finds. */
function templateOf({ model, options }: Endpoint): Template {
  const templates = object(options['templates']);
  return Object.hasOwn(templates, model) ? (templates[model] as unknown as Template) : [];
}

/** Sound is brought into the format that was asked for, whatever the vendor makes. */
function keptPlaces({ output }: Form, { value }: RequestView): KeptPlaces {
  const { keep_seconds: keep, ...places } = output;
  const seconds = keep === undefined ? undefined : valueAt(value, keep);
  const format = SOUND_FORMATS.find((known) => output.audio !== undefined && known === value['audioFormat']);
  return {
    ...places,
    ...(typeof seconds === 'number' ? { keepSeconds: seconds } : {}),
    ...(format === undefined ? {} : { audioFormat: format }),
  };
}

/** Where the request says the addresses itself, the files beside it are the same ones. */
function namesItsFiles(request: JsonObject): boolean {
  return 'inputs' in request || 'body' in request;
}

function viewPlan(request: JsonObject, files: readonly FileOutline[]): RequestView {
  const viewed = namesItsFiles(request) ? [] : files.map(({ field, role }) => ({ field, role, value: field }));
  return viewRequest(request, viewed);
}

/** Templates move texts about, so the file is one. */
function inline({ field, role, contentType, bytes }: LoadedMedia) {
  return { field, role, value: `data:${contentType};base64,${bytes.toString('base64')}` };
}

/** All that a caller wrote in a request or a body. */
export function callersWordsOf(request: JsonObject): string {
  return leavesOf(request)
    .flatMap(([, value]) => (typeof value === 'string' ? [value] : []))
    .join('\n');
}
