/** A speech model, with its limit and its price. */
interface SpeechModel {
  name: string;
  maxCharacters: number;
  /** Credits for a character. */
  creditsPerCharacter: number;
}

const models: Readonly<Record<string, SpeechModel>> = {
  eleven_v3: { name: 'Eleven v3', maxCharacters: 5_000, creditsPerCharacter: 1 },
  eleven_multilingual_v2: { name: 'Eleven Multilingual v2', maxCharacters: 10_000, creditsPerCharacter: 1 },
  eleven_flash_v2_5: { name: 'Eleven Flash v2.5', maxCharacters: 40_000, creditsPerCharacter: 0.5 },
};

export const SPEECH_MODELS = Object.entries(models);

export function speechModel(id: string): SpeechModel | undefined {
  return Object.hasOwn(models, id) ? models[id] : undefined;
}
