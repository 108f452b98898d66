import { isJsonObject, type Json, type JsonObject, message } from '@mediagate/contracts';
import type { Lack } from '../contract';
import { countLack, lack } from '../lacks';
import { leavesOf, type RequestView, valueAt } from './request-view';
import type { Form, Source, Template } from './template';
import { unsaidLack } from './template-lacks';

export type Filled = { ok: true; form: Form; input: JsonObject } | { ok: false; lack: Lack };

/** The first form that says all of the request, or what the one that comes nearest cannot say. */
export function fillTemplate(template: Template, view: RequestView): Filled {
  let nearest: readonly Lack[] | undefined;
  for (const form of template) {
    const { input, lacks } = fillForm(form, view);
    if (lacks.length === 0) return { ok: true, form, input };
    if (nearest === undefined || lacks.length < nearest.length) nearest = lacks;
  }
  return { ok: false, lack: nearest?.[0] ?? lack(message('no_such_operation')) };
}

/** The state of one filling: the request, the parts of it that the form has named, and the form's lacks. */
interface Trace {
  view: RequestView;
  /** Pointers to what was named, or need not be. */
  named: string[];
  lacks: Lack[];
}

function fillForm({ input, accepts = {} }: Form, view: RequestView) {
  const trace: Trace = { view, named: [], lacks: [] };
  const filled = fill(input as JsonObject, trace) ?? {};
  for (const [pointer, values] of Object.entries(accepts)) {
    const value = valueAt(view.value, pointer);
    if (values === 'any' || values.some((accepted) => accepted === value)) trace.named.push(pointer);
  }
  for (const [pointer, value] of leavesOf(view.value)) {
    const isNamed = trace.named.some((named) => pointer === named || pointer.startsWith(`${named}/`));
    if (!isNamed) trace.lacks.push(unsaidLack(view.partOf(pointer), pointer, value));
  }
  return { input: filled as JsonObject, lacks: trace.lacks };
}

/** Undefined: the request has no value for it. A map or list of which nothing has a value is left out, too. */
function fill(part: Json, trace: Trace): Json | undefined {
  if (Array.isArray(part)) {
    const items = part.map((item) => fill(item, trace)).filter((item) => item !== undefined);
    return items.length === 0 && part.length > 0 ? undefined : items;
  }
  if (!isJsonObject(part)) return part;
  if ('from' in part) return fillSource(part as unknown as Source, trace);
  if ('literal' in part) return part['literal'];
  if (Array.isArray(part['first_of'])) return firstOf(part['first_of'], trace);
  const entries = Object.entries(part).map(([key, item]) => [key, fill(item, trace)] as const);
  const given = entries.filter(([, value]) => value !== undefined);
  return given.length === 0 && entries.length > 0 ? undefined : (Object.fromEntries(given) as JsonObject);
}

/** The first part that has a value and breaks no limit. */
function firstOf(parts: readonly Json[], trace: Trace): Json | undefined {
  const tried = parts.map((part) => {
    const own: Trace = { view: trace.view, named: [], lacks: [] };
    return { value: fill(part, own), ...own };
  });
  const chosen =
    tried.find(({ value, lacks }) => value !== undefined && lacks.length === 0) ??
    tried.find(({ lacks }) => lacks.length > 0);
  trace.named.push(...(chosen?.named ?? []));
  trace.lacks.push(...(chosen?.lacks ?? []));
  return chosen?.value;
}

function fillSource(source: Source, { view, named, lacks }: Trace): Json | undefined {
  const value = valueAt(view.value, source.from);
  if (value === undefined) {
    if (source.required) lacks.push(lack(message('no_such_operation'), view.partOf(source.from)));
    return source.default;
  }
  named.push(source.from);
  const broken = limitLack(value, source, view);
  if (broken !== undefined) lacks.push(broken);
  return asText(calculated(asNumber(renamed(value, source), source), source), source);
}

function limitLack(value: Json, source: Source, view: RequestView): Lack | undefined {
  const { from, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = source;
  const part = view.partOf(from);
  const isOutside = typeof value === 'number' && (value < min || value > max);
  if (isOutside || isUnknown(value, source)) return unsaidLack(part, from, value);
  if (Array.isArray(value) && source.max_items !== undefined) return countLack(value.length, source.max_items, part);
  const { max_characters: most } = source;
  if (typeof value !== 'string' || most === undefined || [...value].length <= most) return undefined;
  return lack(message('takes_characters', { limit: most }), part, most);
}

function isUnknown(value: Json, { values }: Source): boolean {
  if (values === undefined) return false;
  return Array.isArray(values) ? !values.includes(value) : !Object.hasOwn(values, String(value));
}

function renamed(value: Json, { values }: Source): Json {
  return isJsonObject(values) ? (values[String(value)] ?? value) : value;
}

/** Far finer than any vendor reads, and without what is left over of binary fractions. */
const DECIMALS = 9;

function calculated(value: Json, { times, plus }: Source): Json {
  if (typeof value !== 'number' || (times === undefined && plus === undefined)) return value;
  return Number((value * (times ?? 1) + (plus ?? 0)).toFixed(DECIMALS));
}

function asText(value: Json, { as }: Source): Json {
  return as === 'text' && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value;
}

function asNumber(value: Json, { as }: Source): Json {
  if (as !== 'number' || typeof value !== 'string' || value.trim() === '') return value;
  const figure = Number(value);
  return Number.isFinite(figure) ? figure : value;
}
