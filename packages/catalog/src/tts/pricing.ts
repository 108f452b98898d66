import { type Nano, proRata, type Usage } from '@mediagate/contracts';

const CHARACTERS_PER_PRICE = 1_000_000n;

interface Spoken {
  input: string;
}

interface CharacterRates {
  per_million_characters: Nano;
}

/** Every character that is asked for is billed: a vendor may report its charge, never fewer characters. */
export const characterPricing = {
  reserve: price,
  settle: (input: Spoken, _usage: Usage, rates: CharacterRates): Nano => price(input, rates),
};

function price({ input }: Spoken, rates: CharacterRates): Nano {
  return proRata(characters(input), rates.per_million_characters, CHARACTERS_PER_PRICE);
}

/** Unicode code points, as the schema counts them. */
function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
