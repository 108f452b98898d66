import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';

export interface Misfit {
  field: string;
  problem: string;
}

interface Place {
  /** Path of the part, `input.properties.shots.items`. */
  field: string;
  root: JsonObject;
  /** `properties` and `items` lead here from the body, so that what an object does not name is left out. */
  isPicked: boolean;
  /** References that led here. */
  references: number;
}

/** Longer chains of references are circles. */
const MAX_REFERENCES = 20;

const CLOSED = 'additionalProperties: false';

/** Where a body may have what its schema does not name: it would go to a vendor unpriced, and its files unjudged. */
export function openParts(root: JsonObject): Misfit[] {
  const { additionalProperties = false } = root;
  if (additionalProperties !== false) {
    const problem = 'must be false or absent: a body has the fields of properties';
    return [{ field: 'input.additionalProperties', problem }];
  }
  return openMembers(root, { field: 'input', root, isPicked: true, references: 0 });
}

function openPart(part: Json | undefined, place: Place): Misfit[] {
  if (!isJsonObject(part)) return [misfit(place, 'must be a schema: anything would fit it')];
  if (part['enum'] !== undefined || part['const'] !== undefined) return [];
  const { type, properties, items, additionalProperties, $ref } = part;
  if (typeof $ref === 'string' && properties === undefined) return openReference($ref, place);
  const choices = part['anyOf'] ?? part['oneOf'];
  if (type === undefined && Array.isArray(choices)) {
    return choices.flatMap((choice) => openPart(choice as Json, { ...place, isPicked: false }));
  }
  if (type === undefined) return [misfit(place, 'must have a type: anything would fit it')];
  const types = [type].flat();
  const isNamed = additionalProperties === false || (place.isPicked && isJsonObject(properties));
  if (types.includes('object') && (!isNamed || (additionalProperties ?? false) !== false)) {
    return [misfit(place, `must name its properties, and have ${CLOSED} where no properties lead to it`)];
  }
  if (types.includes('array') && !isJsonObject(items)) {
    return [misfit(place, 'must say by items what it is a list of')];
  }
  return openMembers(part, place);
}

function openMembers({ properties, items }: JsonObject, place: Place): Misfit[] {
  const named = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, member]) =>
    openPart(member as Json, { ...place, field: `${place.field}.properties.${name}` }),
  );
  return items === undefined ? named : [...named, ...openPart(items, { ...place, field: `${place.field}.items` })];
}

/** Parts are referred to by their place in the schema. */
function openReference(reference: string, place: Place): Misfit[] {
  if (place.references >= MAX_REFERENCES) return [];
  const steps = reference.replace(/^#\/?/, '').split('/').filter(Boolean);
  const part = steps.reduce<Json | undefined>(
    (found, step) => (isJsonObject(found) && Object.hasOwn(found, step) ? found[step] : undefined),
    place.root,
  );
  return openPart(part, { ...place, isPicked: false, references: place.references + 1 });
}

function misfit({ field }: Place, problem: string): Misfit {
  return { field, problem };
}
