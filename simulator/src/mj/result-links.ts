import type { Asset } from '../assets/asset-store';
import { type Content, contentOfBytes } from '../assets/content';
import { linkExpirySeconds } from '../jobs/vendor-job';
import type { VideoStudio } from '../media/video/video-studio';
import type { Gallery } from './gallery';
import { type Image, sizeOf } from './image';
import type { MjAccount, MjTask } from './task';

/** The whole sheet, or the one image. */
export function sheetLink(task: MjTask): string {
  return link(task, 'sheet.png', linkExpirySeconds(task));
}

/** One image of a sheet, counted from 0, in full and small. */
export function singleLinks(task: MjTask, index: number): { url: string; thumbnail: string } {
  const expiry = linkExpirySeconds(task);
  return { url: link(task, `${index}.png`, expiry), thumbnail: link(task, `${index}-small.webp`, expiry) };
}

export function videoLink(task: MjTask, index: number): string {
  return link(task, `${index}.mp4`, linkExpirySeconds(task));
}

/** Link to a sheet as it looks while it is made, at that percentage. */
export function previewLink(task: MjTask, percent: number): string {
  return link(task, `preview-${percent}.webp`, previewExpirySeconds(task));
}

function link({ id, detail }: MjTask, file: string, expiry: number): string {
  return `http://${detail.host}/assets/mj-${id}-${file}?exp=${expiry}`;
}

/**
 * The file behind such a link. Nothing is kept for it but the recipe in its task: it is made when it is fetched, so that
 * thousands of tasks cost no image that nobody looks at.
 */
export function findMjFile(
  name: string,
  { account, gallery, studio }: { account: MjAccount; gallery: Gallery; studio: VideoStudio },
): Asset | undefined {
  const [, id = '', file = ''] = /^mj-(\d+)-([a-z0-9-]+\.(?:png|webp|mp4))$/.exec(name) ?? [];
  const task = account.tasks.findFile(id);
  if (!task) return undefined;
  const percent = /^preview-(\d{1,2})\.webp$/.exec(file)?.[1];
  if (percent !== undefined) return preview(task, Number(percent), gallery);
  if (account.tasks.state(task) !== 'done') return undefined;
  const open = contentOf(task, file, { gallery, studio });
  return open && { expiresAtMs: linkExpirySeconds(task) * 1_000, fault: task.assetFault, open };
}

/** Faults of downloads are not for previews, which nobody keeps. */
function preview(task: MjTask, percent: number, gallery: Gallery): Asset | undefined {
  const images = imagesOf(task);
  if (images.length === 0) return undefined;
  const open = async () => contentOfBytes(await gallery.preview(images, percent), 'image/webp');
  return { expiresAtMs: previewExpirySeconds(task) * 1_000, fault: undefined, open };
}

function contentOf(
  task: MjTask,
  file: string,
  { gallery, studio }: { gallery: Gallery; studio: VideoStudio },
): (() => Promise<Content>) | undefined {
  const { work } = task.detail;
  const images = imagesOf(task);
  const [, number, kind] = /^(\d)(\.png|-small\.webp|\.mp4)$/.exec(file) ?? [];
  const png = (bytes: Promise<Buffer>) => async () => contentOfBytes(await bytes, 'image/png');

  if (kind === '.mp4') {
    const video = work.kind === 'videos' ? work.videos[Number(number)] : undefined;
    return video && (() => studio.video(video));
  }
  if (file === 'sheet.png') return images.length === 0 ? undefined : () => png(gallery.sheet(images))();
  const image = number === undefined ? undefined : images[Number(number)];
  if (!image) return undefined;
  if (kind === '.png') return () => png(gallery.image(image))();
  return async () => contentOfBytes(await gallery.thumbnail(image), 'image/webp');
}

/** The images of a task: those it made, or the one it was asked about. */
export function imagesOf({ detail: { work } }: MjTask): readonly Image[] {
  if (work.kind === 'images') return work.images;
  return work.kind === 'texts' && work.of ? [work.of] : [];
}

/** Size of the sheet in pixels; undefined for a task without images. */
export function sheetSize(task: MjTask): { width: number; height: number } | undefined {
  const [first, ...others] = imagesOf(task);
  if (!first) return undefined;
  const { width, height } = sizeOf(first);
  return others.length === 0 ? { width, height } : { width: 2 * width, height: 2 * height };
}

function previewExpirySeconds({ submittedAtMs, linkLifetimeMs }: MjTask): number {
  return Math.ceil((submittedAtMs + linkLifetimeMs) / 1_000);
}
