import { type Failure, fieldFailure, type Json, type JsonObject } from '@mediagate/contracts';
import type { FieldNames } from './legacy-words';

interface OneImage {
  image_urls?: Json;
  names?: FieldNames;
  faults?: readonly Failure[];
}

/** The image by the first of the names that has one; clients send the same in a list as well, as they do elsewhere. */
export function oneImage(sent: JsonObject, names: readonly [string, ...string[]]): OneImage {
  const name = names.find((each) => !isBlank(sent[each]));
  const { base64Array } = sent;
  if (name === undefined)
    return base64Array === undefined ? { names: { image_urls: names[0] } } : { image_urls: base64Array };
  const image = sent[name] as Json;
  const others = [...names, 'base64Array'].filter(
    (each) => each !== name && [sent[each]].flat().some((given) => !isBlank(given) && given !== image),
  );
  const faults = others.map((other) =>
    fieldFailure('conflicting_parameters', name, 'two_names_of_one_field', { other }),
  );
  return { image_urls: [image], names: { image_urls: name }, faults };
}

export function isBlank(value: Json | undefined): boolean {
  return (value ?? '') === '';
}
