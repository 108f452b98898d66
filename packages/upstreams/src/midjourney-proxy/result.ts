import type { Done, ImgtoolFacts, ImgtoolRequest, JsonObject, Output, Refused } from '@mediagate/contracts';
import { beginning, httpUrl, list, object, present, text } from '../json-guards';
import { refused, unreadable } from '../vendor-call';
import { canBePressed } from './buttons';
import { VIDEOS_BY_DEFAULT } from './videos';

const TILES_OF_A_GRID = 4;
/** The vendor's largest sets have about twenty. */
const BUTTONS_MAX = 64;
const CUSTOM_ID_MAX_CHARS = 256;
const LABEL_MAX_CHARS = 128;
/** Four descriptions, or a prompt with all its flags. */
const WORDS_MAX_CHARS = 8_192;

/** The result of a task that ended well. Where a link is missing, the task is asked about again. */
export function resultOf(task: JsonObject, { action, films }: ResultOptions): Done | Refused {
  const links = videoLinks(task);
  if (links.length > 0) {
    const outputs = links.slice(0, films ?? VIDEOS_BY_DEFAULT).map(videoOutput);
    return done(outputs, factsOf(task, { hasGrid: false }));
  }
  if (action === 'video') return missing('no link to a video');
  if (action === 'describe' || action === 'shorten' || text(task['action']) === 'DESCRIBE') {
    const description = words(object(task['properties'])['finalPrompt'] ?? task['promptEn']);
    if (description === undefined) return missing('no description');
    return done([], factsOf(task, { hasGrid: false, description }));
  }
  const url = httpUrl(task['imageUrl']);
  if (url === undefined) return missing('no link to the image');
  if (isSingle(task, action)) return done([image(url)], factsOf(task, { hasGrid: false }));
  const tiles = tileLinks(task).map(tile);
  const grid: Output = tiles.length === 0 ? { ...image(url), isGrid: true } : image(url);
  return done([grid, ...tiles], factsOf(task, { hasGrid: true }));
}

export interface ResultOptions {
  action: ImgtoolRequest['action'];
  /** How many videos were asked for; stored operations have this name. */
  films?: number;
}

/** A grid offers tiles to choose from; where the vendor lists no buttons, the requested action decides. */
function isSingle(task: JsonObject, action: ImgtoolRequest['action']): boolean {
  const buttons = buttonsOf(task);
  if (buttons.length > 0) return !buttons.some(({ customId }) => customId.startsWith('MJ::JOB::upsample::'));
  return action === 'upscale' && tileLinks(task).length === 0;
}

function videoLinks({ videoUrls, videoUrl }: JsonObject): string[] {
  const listed = links(videoUrls);
  const only = httpUrl(videoUrl);
  return listed.length > 0 || only === undefined ? listed : [only];
}

/** All four tiles, or none: a single link does not show which one it is of, so that the grid is cut instead. */
function tileLinks({ imageUrls }: JsonObject): string[] {
  const tiles = links(imageUrls);
  return tiles.length === TILES_OF_A_GRID ? tiles : [];
}

function links(elements: unknown): string[] {
  return (list(elements) ?? []).flatMap((element) => httpUrl(object(element)['url']) ?? []);
}

function image(url: string): Output {
  return { role: 'image', url };
}

/** The image keeps its number: of four files that are fetched, one may be lost. */
function tile(url: string, index: number): Output {
  return { role: 'image', url, facts: { tile: index + 1 } };
}

function videoOutput(url: string): Output {
  return { role: 'video', contentType: 'video/mp4', url };
}

function factsOf(
  task: JsonObject,
  { hasGrid, description }: Pick<ImgtoolFacts, 'hasGrid' | 'description'>,
): JsonObject {
  const finalPrompt = description === undefined ? words(object(task['properties'])['finalPrompt']) : undefined;
  return present<Facts>({ buttons: buttonsOf(task).filter(canBePressed), finalPrompt, description, hasGrid });
}

type Facts = Pick<ImgtoolFacts, 'finalPrompt' | 'description' | 'hasGrid'> & { buttons: Button[] };
type Button = { customId: string; label: string };

export function buttonsOf({ buttons }: JsonObject): Button[] {
  const listed = (list(buttons) ?? []).slice(0, BUTTONS_MAX).map(object);
  return listed.flatMap(({ customId: id, label, emoji }) => {
    const customId = text(id);
    if (customId === undefined || customId.length > CUSTOM_ID_MAX_CHARS) return [];
    return [{ customId, label: beginning(text(label) ?? text(emoji) ?? '', LABEL_MAX_CHARS) }];
  });
}

function words(value: unknown): string | undefined {
  const reported = text(value);
  return reported === undefined ? undefined : beginning(reported, WORDS_MAX_CHARS);
}

/** The vendor reports no usage and no cost. */
function done(outputs: Output[], facts: JsonObject): Done {
  return { kind: 'done', outputs, facts, usage: {} };
}

function missing(what: string): Refused {
  return refused(unreadable(what));
}
