import { partsIn } from '../media/audio/notes';
import { musicOf, type Part, parts, type Recording } from '../media/audio/recording';

const ofKind: Partial<Record<string, Part[]>> = {
  lead_vocal: ['lead'],
  vocals: ['lead', 'backing'],
  backing_vocals: ['backing'],
  drums: ['drums'],
  percussion: ['percussion'],
  bass: ['bass'],
  keyboard: ['keyboard'],
};
/** Where nobody sings, the lead is a synthesiser's. */
const ofKindUnsung: typeof ofKind = { ...ofKind, lead_vocal: [], vocals: [], backing_vocals: [], synth: ['lead'] };

/**
 * The part of a recording that an instrument plays, by the general name of the instrument. No track here has brass or strings:
 * such a stem is silence, and what is left without it the whole.
 */
export function stemOf(recording: Recording, kind: string): { stem: Recording; without: Recording } {
  const heard = (isUnsung(recording) ? ofKindUnsung : ofKind)[kind] ?? [];
  return {
    stem: { kind: 'parts', of: recording, parts: heard },
    without: { kind: 'parts', of: recording, parts: parts.filter((part) => !heard.includes(part)) },
  };
}

const names: Record<Part, string> = {
  lead: 'Vocals',
  backing: 'Backing Vocals',
  drums: 'Drums',
  percussion: 'Percussion',
  bass: 'Bass',
  keyboard: 'Keyboard',
};

/** A stem of everything that plays; together they are the whole. */
export function allStemsOf(recording: Recording): { part: Part; name: string; stem: Recording }[] {
  return partsIn(recording).map((part) => ({
    part,
    name: part === 'lead' && isUnsung(recording) ? 'Synth' : names[part],
    stem: { kind: 'parts', of: recording, parts: [part] },
  }));
}

function isUnsung(recording: Recording): boolean {
  return musicOf(recording)?.voice === 'none';
}
