import { elementCallPattern, message, type VideoElement } from '@mediagate/contracts';
import { type RuleOutcome, reject, together, warn } from '../rules';
import type { Asset } from './assets';

/** Named things that a model learns from images, and the texts that call them by `@name`. */
export interface WithElements {
  prompt?: string;
  multi_prompt?: readonly { prompt: string }[];
  element_list?: readonly { name: string; description: string; element_input_urls: readonly string[] }[];
}

export function elementAssets({ element_list: elements = [] }: WithElements): Asset<'element_image'>[] {
  return elements.flatMap(({ element_input_urls: urls }, item) =>
    urls.map((url, index) => ({
      field: `element_list[${item}].element_input_urls[${index}]`,
      url,
      role: 'element_image',
    })),
  );
}

export function elementsOf({ element_list: elements = [] }: WithElements): VideoElement[] {
  return elements.map(({ name, description, element_input_urls: imageUrls }) => ({ name, description, imageUrls }));
}

/** Rule: no name may contain another, because a prompt could then mean either. */
export function elementNamesAreDistinct({ element_list: elements = [] }: WithElements): RuleOutcome {
  const fieldOf = (index: number) => `element_list[${index}].name`;
  return together(
    elements.flatMap(({ name }, index) => {
      const other = elements.findIndex((element, position) => position !== index && element.name.includes(name));
      return other === -1 ? [] : [reject(fieldOf(index), 'must_not_be_contained_in', { other: fieldOf(other) })];
    }),
  );
}

/** Rule: an element that no text calls is learnt and not shown. */
export function elementsAreCalled({
  prompt = '',
  multi_prompt: shots = [],
  element_list: elements = [],
}: WithElements) {
  const texts = [prompt, ...shots.map((shot) => shot.prompt)];
  const uncalled = elements.flatMap(({ name }, index) =>
    texts.some((text) => new RegExp(elementCallPattern(name)).test(text)) ? [] : [`element_list[${index}]`],
  );
  return uncalled.length > 0 ? warn(message('elements_not_called', { fields: uncalled.join(', ') })) : undefined;
}
