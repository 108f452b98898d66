import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { createSchemaJudge } from '../schema-judge';
import { SUBMISSION_FIELDS } from '../submission-fields';
import type { InputSchema, Report } from './definition';
import { countMarks, MEDIA_KINDS, mediaFields } from './media-fields';
import { type Misfit, openParts } from './openness';

/** The schema of a described model, if it is one for a body; else what is wrong has been reported. */
export function judgeSchema(schema: JsonObject, report: Report): InputSchema | undefined {
  const { type, properties } = schema;
  if (type !== 'object' || !isJsonObject(properties)) {
    report('input', 'must be the JSON Schema of a body: type: object, with properties');
    return undefined;
  }
  const taken = Object.keys(properties).filter((name) => name === 'model' || Object.hasOwn(SUBMISSION_FIELDS, name));
  for (const name of taken) report(`input.properties.${name}`, 'is a field of every submission: call it otherwise');
  const named = namedParts(schema, 'input');
  const misfits = named.length > 0 ? named : [...openParts(schema), ...misfitsOf(schema, 'input')];
  for (const { field, problem } of misfits) report(field, problem);
  const marks = markProblem(schema);
  if (marks !== undefined) report('input', marks);
  return taken.length === 0 && misfits.length === 0 && marks === undefined
    ? (schema as unknown as InputSchema)
    : undefined;
}

/** Ajv knows a name as long as the process runs: the next read of the file would be refused for it. */
function namedParts(value: Json, field: string): Misfit[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => namedParts(item, `${field}[${index}]`));
  if (!isJsonObject(value)) return [];
  const inner = Object.entries(value).flatMap(([key, part]) => namedParts(part as Json, `${field}.${key}`));
  if (typeof value['$id'] !== 'string') return inner;
  return [
    { field: `${field}.$id`, problem: 'must be left out: parts are referred to by their place, as #/definitions/…' },
    ...inner,
  ];
}

/** The complaints of Ajv in strict mode, each about the smallest part that it refuses by itself. */
function misfitsOf(schema: JsonObject, field: string): Misfit[] {
  const problem = problemOf(schema);
  if (problem === undefined) return [];
  // By itself a part is a root, where a default would be one fault more.
  const inner = partsOf(schema, field).flatMap(([name, { default: _, ...part }]) => misfitsOf(part, name));
  return inner.length > 0 ? inner : [{ field, problem }];
}

function partsOf({ properties, items }: JsonObject, field: string): [field: string, part: JsonObject][] {
  const named = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(
    ([name, part]): [string, JsonObject][] => (isJsonObject(part) ? [[`${field}.properties.${name}`, part]] : []),
  );
  return isJsonObject(items) ? [...named, [`${field}.items`, items]] : named;
}

function problemOf(schema: JsonObject): string | undefined {
  try {
    createSchemaJudge(schema).compile();
    return undefined;
  } catch (error) {
    return `is refused as JSON Schema: ${(error as Error).message}`;
  }
}

/** A file that nobody finds would go to a vendor unjudged. */
function markProblem(schema: JsonObject): string | undefined {
  const found = mediaFields(schema).length;
  if (found === countMarks(schema)) return undefined;
  const kinds = Object.keys(MEDIA_KINDS).join(', ');
  return `mediagate-media must be one of ${kinds}, on texts that properties and items lead to`;
}
