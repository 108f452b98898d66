/** The names of stems, by their types in the caller's words. */
const NAMES: Readonly<Record<string, string>> = {
  lead_vocal: 'Lead Vocal',
  vocals: 'Vocals',
  instrumental: 'Instrumental',
  backing_vocals: 'Backing Vocals',
  drums: 'Drums',
  bass: 'Bass',
  guitar: 'Guitar',
  keyboard: 'Keyboard',
  strings: 'Strings',
  brass: 'Brass',
  woodwinds: 'Woodwinds',
  percussion: 'Percussion',
  synth: 'Synth',
  fx: 'FX',
};

/** The stems of a separation, in their order: the one that was asked for, else the voice and all that is not it. */
export function stemTypesOf(stemType: string | undefined): readonly string[] {
  return stemType === undefined ? ['vocals', 'instrumental'] : [stemType];
}

/** The title of one stem of a track, the same whichever vendor made it. */
export function stemTitle(type: string, title: string | undefined): string {
  const name = NAMES[type] ?? type;
  return title === undefined ? name : `${title} (${name})`;
}
