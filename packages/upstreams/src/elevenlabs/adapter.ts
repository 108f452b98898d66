import type { JsonObject } from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter } from '../contract';
import { readMusicRequest } from '../music-call';
import type { Clients } from '../protocol';
import { makeSound, musicLack } from './music';
import { createElevenLabsProbe } from './probe';
import { readSpeech, speak, speechLack } from './speech';
import { elevenLabsKey } from './wire';

/** `voices`: callers' names of voices to the vendor's ids of them. */
const OPTIONS: OptionRules = {
  voices: { kind: 'names' },
  timeout_seconds: { kind: 'integer', min: 1, max: 600 },
};

/**
 * Speech, given on as it is made, and tracks and sounds, which are whole when the call ends. The vendor promises nothing about a
 * repeated request, so a lost answer is never re-sent.
 */
export default function createElevenLabs({ http }: Clients): Adapter {
  return {
    protocol: 'elevenlabs',
    families: ['tts', 'music'],
    afterLostAnswer: 'never',
    credentials: elevenLabsKey,
    checkOptions: (options) => checkAgainst(OPTIONS, options),
    probe: createElevenLabsProbe(http),
    lacks: ({ request, endpoint }) =>
      isMusic(request) ? musicLack(readMusicRequest(request)) : speechLack(readSpeech(request), endpoint),
    start: (request, context) =>
      isMusic(request.request) ? makeSound(http, request, context) : speak(http, request, context),
  };
}

/** Requests of speech name no operation. */
function isMusic(request: JsonObject): boolean {
  return 'operation' in request;
}
