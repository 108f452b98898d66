import type { Asset } from '../assets/asset-store';
import { type Content, contentOfBytes } from '../assets/content';
import { wrongFilm } from '../media/film/film-order';
import type { FilmStudio } from '../media/film/film-studio';
import type { Gallery } from './gallery';
import { spoiltPicture } from './gallery';
import { type Picture, sizeOf } from './picture';
import type { MjAccount, MjTask } from './task';

/** The whole sheet, or the one picture. */
export function sheetLink(task: MjTask, account: MjAccount): string {
  return link(task, 'sheet.png', expirySeconds(task, account));
}

/** One picture of a sheet, counted from 0, in full and small. */
export function singleLinks(task: MjTask, index: number, account: MjAccount): { url: string; thumbnail: string } {
  const expiry = expirySeconds(task, account);
  return { url: link(task, `${index}.png`, expiry), thumbnail: link(task, `${index}-small.webp`, expiry) };
}

export function filmLink(task: MjTask, index: number, account: MjAccount): string {
  return link(task, `${index}.mp4`, expirySeconds(task, account));
}

/** What can be seen of a sheet while it is made, at that percentage. */
export function previewLink(task: MjTask, percent: number, account: MjAccount): string {
  return link(task, `preview-${percent}.webp`, previewExpirySeconds(task, account));
}

function link({ id, detail }: MjTask, file: string, expiry: number): string {
  return `http://${detail.host}/assets/mj-${id}-${file}?exp=${expiry}`;
}

/**
 * The file behind such a link. Nothing is kept for it but the recipe in its task: it is made when it is fetched, so that
 * thousands of tasks cost no picture that nobody looks at.
 */
export function findMjFile(
  name: string,
  { account, gallery, studio }: { account: MjAccount; gallery: Gallery; studio: FilmStudio },
): Asset | undefined {
  const [, id = '', file = ''] = /^mj-(\d+)-([a-z0-9-]+\.(?:png|webp|mp4))$/.exec(name) ?? [];
  const task = account.tasks.findFile(id);
  if (!task) return undefined;
  const percent = /^preview-(\d{1,2})\.webp$/.exec(file)?.[1];
  if (percent !== undefined) return preview(task, Number(percent), { account, gallery });
  if (account.tasks.state(task) !== 'done') return undefined;
  const open = contentOf(task, file, { gallery, studio });
  return open && { expiresAtMs: expirySeconds(task, account) * 1_000, fault: task.assetFault, open };
}

/** Faults of downloads are not for previews, which nobody keeps. */
function preview(
  task: MjTask,
  percent: number,
  { account, gallery }: { account: MjAccount; gallery: Gallery },
): Asset | undefined {
  const pictures = picturesOf(task);
  if (pictures.length === 0) return undefined;
  const open = async () => contentOfBytes(await gallery.preview(pictures, percent), 'image/webp');
  return { expiresAtMs: previewExpirySeconds(task, account) * 1_000, fault: undefined, open };
}

function contentOf(
  task: MjTask,
  file: string,
  { gallery, studio }: { gallery: Gallery; studio: FilmStudio },
): (() => Promise<Content>) | undefined {
  const { work, isWrongMedia } = task.detail;
  const pictures = picturesOf(task);
  const [, number, kind] = /^(\d)(\.png|-small\.webp|\.mp4)$/.exec(file) ?? [];
  const png = (bytes: Promise<Buffer>) => async () =>
    isWrongMedia
      ? contentOfBytes(await spoiltPicture(await bytes), 'image/jpeg')
      : contentOfBytes(await bytes, 'image/png');

  if (kind === '.mp4') {
    const film = work.kind === 'films' ? work.films[Number(number)] : undefined;
    return film && (() => studio.film(isWrongMedia ? wrongFilm(film) : film));
  }
  if (file === 'sheet.png') return pictures.length === 0 ? undefined : () => png(gallery.sheet(pictures))();
  const picture = number === undefined ? undefined : pictures[Number(number)];
  if (!picture) return undefined;
  if (kind === '.png') return () => png(gallery.picture(picture))();
  return async () => contentOfBytes(await gallery.thumbnail(picture), 'image/webp');
}

/** The pictures of a task: those it made, or the one it was asked about. */
export function picturesOf({ detail: { work } }: MjTask): readonly Picture[] {
  if (work.kind === 'pictures') return work.pictures;
  return work.kind === 'texts' && work.of ? [work.of] : [];
}

/** Of the sheet in pixels; undefined for a task without pictures. */
export function sheetSize(task: MjTask): { width: number; height: number } | undefined {
  const [first, ...others] = picturesOf(task);
  if (!first) return undefined;
  const { width, height } = sizeOf(first);
  return others.length === 0 ? { width, height } : { width: 2 * width, height: 2 * height };
}

function expirySeconds({ endsAtMs }: MjTask, { tasks }: MjAccount): number {
  return Math.ceil((endsAtMs + tasks.linkLifetimeMs) / 1_000);
}

function previewExpirySeconds({ submittedAtMs }: MjTask, { tasks }: MjAccount): number {
  return Math.ceil((submittedAtMs + tasks.linkLifetimeMs) / 1_000);
}
