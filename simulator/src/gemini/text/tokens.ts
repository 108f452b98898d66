import { linesWithoutDirectives } from '../../faults/directive';
import type { Content, GenerateContentRequest, Part } from '../request';

const CHARS_PER_TOKEN = 4;
/** Tokens of any file, whatever its kind and length. */
const FILE_TOKENS = 258;

export type Modality = 'TEXT' | 'IMAGE' | 'AUDIO' | 'VIDEO' | 'DOCUMENT';

export interface PromptTokens {
  total: number;
  details: { modality: Modality; tokenCount: number }[];
}

export function tokensIn(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

/** The longest text of so many tokens. */
export function firstTokens(text: string, tokens: number): string {
  return text.slice(0, tokens * CHARS_PER_TOKEN);
}

/** Everything that is read: all turns and the system instruction, without directives. */
export function promptTokensOf({ contents, systemInstruction }: GenerateContentRequest): PromptTokens {
  const turns: Pick<Content, 'parts'>[] = systemInstruction ? [...contents, systemInstruction] : contents;
  const parts = turns.flatMap((turn) => turn.parts);
  const chars = parts.reduce((sum, part) => sum + charsIn(part), 0);
  const counts = new Map<Modality, number>([['TEXT', Math.ceil(chars / CHARS_PER_TOKEN)]]);
  for (const part of parts) {
    const type = part.inlineData?.mimeType ?? part.fileData?.mimeType;
    if (!part.inlineData && !part.fileData) continue;
    const modality = modalityOf(type ?? '');
    counts.set(modality, (counts.get(modality) ?? 0) + FILE_TOKENS);
  }
  const details = [...counts].map(([modality, tokenCount]) => ({ modality, tokenCount }));
  return { details, total: details.reduce((sum, { tokenCount }) => sum + tokenCount, 0) };
}

function charsIn({ text, functionResponse }: Part): number {
  if (functionResponse) return JSON.stringify(functionResponse).length;
  return text === undefined ? 0 : linesWithoutDirectives(text).length;
}

function modalityOf(mimeType: string): Modality {
  const [kind = ''] = mimeType.split('/');
  const modality = { image: 'IMAGE', audio: 'AUDIO', video: 'VIDEO' } as const;
  return Object.hasOwn(modality, kind) ? modality[kind as keyof typeof modality] : 'DOCUMENT';
}
