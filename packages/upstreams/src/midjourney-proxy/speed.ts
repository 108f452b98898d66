import { type ImgtoolRequest, type JsonObject, message } from '@mediagate/contracts';
import type { Lack } from '../contract';
import { lack } from '../lacks';
import type { Submission } from './submission';

export type Speed = ImgtoolRequest['speed'];

/** Where a request carries the speed: before the server's path, in the filter of its accounts, or as a flag of the prompt. */
export const SPEED_DIALECTS = ['path', 'filter', 'flag'] as const;
type SpeedDialect = (typeof SPEED_DIALECTS)[number];

const TAKE_A_FILTER: ReadonlySet<string> = new Set(['imagine', 'blend', 'describe', 'shorten', 'edits']);
/** Nothing is drawn. */
const WITHOUT_SPEED: ReadonlySet<string> = new Set(['describe', 'shorten']);

/** Videos are made fast or not at all, whatever is asked. */
export function speedOf({ action, speed }: ImgtoolRequest): Speed {
  return action === 'video' ? 'fast' : speed;
}

/**
 * A submission that says its speed. Where the channel's way has no place for it, as a button has none for a flag, the
 * server decides: that is no harm to who asked for none, and a refusal to who asked, and pays, for a faster one.
 */
export function withSpeed(submission: Submission, imgtool: ImgtoolRequest, options: JsonObject): Submission | Lack {
  const spoken = say(submission, speedOf(imgtool), dialectOf(options));
  if (spoken !== undefined) return spoken;
  return isIndifferent(submission, imgtool) ? submission : noSpeed(imgtool);
}

/** The same of a submission whose words are not known yet: a flag may still find its place behind them. */
export function speedLack(submission: Submission, imgtool: ImgtoolRequest, options: JsonObject): Lack | undefined {
  if (dialectOf(options) !== 'filter' || isIndifferent(submission, imgtool)) return undefined;
  return say(submission, speedOf(imgtool), 'filter') === undefined ? noSpeed(imgtool) : undefined;
}

function isIndifferent({ resource }: Submission, { action, speed }: ImgtoolRequest): boolean {
  return speed === 'relax' || action === 'video' || WITHOUT_SPEED.has(resource);
}

function noSpeed({ speed }: ImgtoolRequest): Lack {
  return lack(message('takes_no_speed', { name: speed }), 'speed');
}

/** The path of a submission, with the speed where that is the channel's way. */
export function submitPath(resource: string, speed: Speed, options: JsonObject): string {
  return `${dialectOf(options) === 'path' ? `/mj-${speed}` : ''}/mj/submit/${resource}`;
}

function say(submission: Submission, speed: Speed, dialect: SpeedDialect): Submission | undefined {
  const { resource, body, confirm } = submission;
  switch (dialect) {
    case 'path':
      return submission;
    case 'filter':
      if (!TAKE_A_FILTER.has(resource)) return undefined;
      return { ...submission, body: { ...body, accountFilter: { modes: [speed.toUpperCase()] } } };
    case 'flag': {
      if (WITHOUT_SPEED.has(resource)) return undefined;
      const { prompt } = body;
      if (typeof prompt === 'string') return { ...submission, body: { ...body, prompt: `${prompt} --${speed}` } };
      if (confirm?.prompt === undefined) return undefined;
      return { ...submission, confirm: { prompt: `${confirm.prompt} --${speed}` } };
    }
    default:
      return dialect satisfies never;
  }
}

function dialectOf({ speed = 'path' }: JsonObject): SpeedDialect {
  return SPEED_DIALECTS.find((dialect) => dialect === speed) ?? 'path';
}
