import { type CatalogueEntry, describeModel, type ModelDefinition } from '@mediagate/catalog';
import { isJsonObject, type Json } from '@mediagate/contracts';
import { joinField } from './document';
import type { Faults } from './faults';

/** Ids that the section `models` describes, whatever else is wrong with it. */
export function describedIds(models: Json | undefined): string[] {
  return (Array.isArray(models) ? models : []).flatMap((model) =>
    isJsonObject(model) && typeof model['id'] === 'string' ? [model['id']] : [],
  );
}

/** Finds a model of the catalogue by id or alias. */
export type FindModel = (name: string) => CatalogueEntry | undefined;

/** The models that a file describes, each of which its schema admits. What is wrong with one is recorded by field. */
export function readModels(
  models: Json | undefined,
  findModel: FindModel | undefined,
  faults: Faults,
): CatalogueEntry[] {
  const ids = new Set<string>();
  return (Array.isArray(models) ? models : []).flatMap((model, index) => {
    const field = `models[${index}]`;
    if (!isJsonObject(model)) return [];
    const id = String(model['id']);
    if (findModel?.(id) !== undefined)
      faults.add(`${field}.id`, 'the catalogue has a model of this name: give it another');
    if (ids.has(id.toLowerCase())) faults.add(`${field}.id`, 'another model has this id: give each its own');
    ids.add(id.toLowerCase());
    if (faults.hasWithin(field)) return [];
    const definition = model as unknown as ModelDefinition;
    return describeModel(definition, (part, problem) => faults.add(joinField(field, part), problem)) ?? [];
  });
}
