import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Family, JsonObject } from '@mediagate/contracts';
import { type CatalogueEntry, loadCatalogue } from '../src';
import { MAX_URL_LENGTH } from '../src/addresses';

/* Hand-written text about models is held to the catalogue: docs/api.md, docs/prices.md and the README. */

const read = (page: string) => readFileSync(join(__dirname, '../../../docs', page), 'utf8');
const API = read('api.md');
const { entries, modelIds, find } = loadCatalogue();

/** Where a family begins in the document. */
const CHAPTERS: Readonly<Record<Family, string>> = {
  image: '## Make images:',
  video: '## Make videos:',
  music: '## Make music:',
  imgtool: '## Draw with the image tool:',
  tts: '## Speak:',
  text: '## Write:',
};

/** Fields of every submission, which are described once. */
const COMMON = ['model', 'webhook', 'language', 'metadata', 'max_cost', 'expires_in'];

function from(text: string, heading: string): string {
  const start = text.indexOf(heading);
  if (start === -1) throw new Error(`docs/api.md has no heading ${heading}`);
  return text.slice(start);
}

/** A chapter without its sections, with those of its models that are named in their headings. */
function textAbout({ id, family }: CatalogueEntry): string {
  const chapters = API.split(/^(?=## )/m);
  const chapter = chapters.find((text) => text.startsWith(CHAPTERS[family])) ?? '';
  const headed = chapters
    .flatMap((text) => text.split(/^(?=### )/m))
    .filter((text) => headingOf(text).includes(`\`${id}\``));
  return [chapter.split(/^### /m)[0], ...headed].join('\n');
}

function headingOf(section: string): string {
  const [line = ''] = section.split('\n', 1);
  return line.startsWith('#') ? line : '';
}

type Limit = [field: string, limit: number];

/** Limits of the field and, under the same name, of what is within it; 0 and 1 as a lower one are what anybody expects. */
function limitsOf(field: string, { maxLength, minimum, maximum, maxItems, items, properties }: JsonObject): Limit[] {
  const length = ADDRESS.test(field) ? undefined : maxLength;
  const least = minimum === 0 || minimum === 1 ? undefined : minimum;
  const own = [length, least, maximum, maxItems].filter((limit) => typeof limit === 'number');
  const inner = Object.entries((properties ?? {}) as Record<string, JsonObject>);
  return [
    ...own.map((limit): Limit => [field, limit]),
    ...(items === undefined ? [] : limitsOf(field, items as JsonObject)),
    ...inner.flatMap(([name, schema]) => limitsOf(name, schema)),
  ];
}

/** Names of fields whose texts are addresses of files, or ids. */
const ADDRESS = /(?:_id|urls?|links?|images?|audio|videos?|image_with_roles)$/;

const closed = entries.filter(({ family }) => family !== 'text');
const named = closed.map((entry) => [`${entry.id} ${entry.operation}`, entry] as const);

it.each(modelIds)('%s has a place in docs/api.md, and its price in docs/prices.md', (id) => {
  expect(API).toContain(`\`${id}\``);
  expect(read('prices.md')).toContain(`\`${id}\``);
});

it('the README counts the models of each family', () => {
  const readme = readFileSync(join(__dirname, '../../../README.md'), 'utf8').replaceAll('\n', ' ');
  const of = (family: Family) => new Set(entries.filter((entry) => entry.family === family).map(({ id }) => id)).size;
  const counts = [...readme.matchAll(/(images|video|music and sounds|while it is generated|text) \((\d+) models/g)];
  expect(Object.fromEntries(counts.map(([, words, count]) => [words, Number(count)]))).toEqual({
    images: of('image'),
    video: of('video'),
    'music and sounds': of('music'),
    'while it is generated': of('tts'),
    text: of('text'),
  });
});

it('docs/api.md says once how long an address may be', () => {
  expect(from(API, '### URLs of files')).toContain(`at most ${MAX_URL_LENGTH} characters`);
});

describe.each(named)('docs/api.md on %s', (_name, entry) => {
  const about = textAbout(entry);
  const properties = Object.entries(entry.schema['properties'] as Record<string, JsonObject>);
  const fields = properties.filter(([field]) => !COMMON.includes(field));

  it('names every field', () => {
    expect(fields.map(([field]) => field).filter((field) => !about.includes(`\`${field}\``))).toEqual([]);
  });

  it('says the limits of each field, of its items and of their fields: lengths, numbers, counts', () => {
    const lines = about.replaceAll(/(\d),(?=\d{3})/g, '$1').split('\n');
    const isSaid = ([field, limit]: Limit) =>
      lines.some((line) => line.includes(`\`${field}`) && new RegExp(`(?<![\\d.])${limit}(?![\\d.]*\\d)`).test(line));
    const limits = fields.flatMap(([field, schema]) => limitsOf(field, schema));
    expect(limits.filter((limit) => !isSaid(limit))).toEqual([]);
  });

  it('names every choice', () => {
    const words = new Set(about.split(/[\s`,;()|]+/));
    const choices = fields.flatMap(([, { enum: values }]) => (Array.isArray(values) ? values : []));
    expect(choices.map(String).filter((choice) => !words.has(choice))).toEqual([]);
  });
});

/** `curl` with a body in JSON; what is answered to it stands elsewhere. */
const EXAMPLES = [
  ...from(API, '## Make images:').matchAll(/^curl [^\n]*?\$BASE(\S+)[^']*(?:'[A-Z][^']*'[^']*)?-d '([^']*)'/gms),
].map(([, path = '', body = '']) => ({ path, body: JSON.parse(body) as JsonObject }));

describe('the examples of docs/api.md', () => {
  const submissions = EXAMPLES.map((example) => ({ ...example, entry: entryOf(example) })).filter(({ entry }) => entry);

  it('show each model that has a section of its own', () => {
    const shown = new Set(submissions.map(({ entry }) => entry?.family));
    expect(shown).toEqual(new Set(Object.keys(CHAPTERS)));
  });

  it.each(submissions)('$path takes $body without a warning', ({ entry, body }) => {
    expect(entry?.parse(body)).toMatchObject({ ok: true, warnings: [] });
  });
});

/** The model that a submission is for; undefined: it is another request. */
function entryOf({ path, body }: { path: string; body: JsonObject }): CatalogueEntry | undefined {
  const own = entries.find(({ route }) => route?.paths.includes(path));
  if (own) return own;
  const [, native] = /^\/v1beta\/models\/([\w.-]+):generateContent$/.exec(path) ?? [];
  if (native) return find(native);
  const operations: Record<string, [operation: string, model?: string]> = {
    '/v1/images/generations': ['images.generations'],
    '/v1/videos/generations': ['videos.generations'],
    '/v1/music/generations': ['music.create', 'musicgen'],
    '/v1/imgtool/generations/imagine': ['imgtool.imagine', 'imgtool'],
    '/v1/imgtool/generations/upscale': ['imgtool.upscale', 'imgtool'],
    '/v1/audio/speech': ['audio.speech'],
  };
  const [operation, usual] = operations[path] ?? [];
  return operation === undefined ? undefined : find(String(body['model'] ?? usual), operation);
}
