import { inEnglish, type JsonObject, type LoadedMedia, type MediaReference, type Usage } from '@mediagate/contracts';
import { type CatalogueEntry, createPriceBook, loadCatalogue, type Rates, type SourceTask } from '../src';
import { accept, refusalOf, refuse, warningsOf } from './parsing';

const catalogue = loadCatalogue();
const prices = createPriceBook();

/** One model of the shipped catalogue, as rule tests ask it: every body is laid over `base`. */
export function modelUnderTest(id: string, base: JsonObject = {}, operation?: string) {
  const entry = catalogue.find(id, operation) as CatalogueEntry;
  const input = (body: JsonObject = {}) => accept(entry, { ...base, ...body }).input;
  return {
    entry,
    input,
    /** The body's outcome once the task that it names has been found. */
    bound: (body: JsonObject, task: SourceTask) => {
      const bound = entry.bindSource(input(body), task);
      return bound.ok ? { ...bound, warnings: bound.warnings.map(inEnglish) } : refusalOf(bound);
    },
    warnings: (body: JsonObject) => warningsOf(entry, { ...base, ...body }),
    refused: (body: JsonObject) => refuse(entry, { ...base, ...body }),
    requested: (body: JsonObject = {}, media: readonly LoadedMedia[] = []) => entry.request(input(body), media),
    media: (body: JsonObject) => entry.media(input(body)),
    checked: (body: JsonObject, media: readonly LoadedMedia[]) => {
      const problem = entry.checkMedia(input(body), media);
      return problem && { ...problem, message: inEnglish(problem.message) };
    },
    reserved: (body: JsonObject = {}, rates: Rates = prices.ratesOf(entry, input(body))) =>
      entry.reserve(input(body), rates),
    settled: (body: JsonObject, usage: Usage, rates: Rates = prices.ratesOf(entry, input(body))) =>
      entry.settle(input(body), usage, rates),
  };
}

/** A file after its inspection. */
export function loaded(field: string, role: MediaReference['role'], seconds?: number): LoadedMedia {
  return {
    field,
    role,
    contentType: 'video/mp4',
    bytes: Buffer.alloc(0),
    ...(seconds === undefined ? {} : { seconds }),
  };
}

/** `count` different addresses. */
export function urls(count: number, extension = 'png'): string[] {
  return Array.from({ length: count }, (_, index) => `https://example.com/${index}.${extension}`);
}
