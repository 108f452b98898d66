import type { Request } from 'express';
import type { AssetStore } from '../assets/asset-store';
import { type ImageOrder, renderImage } from '../media/render';
import type { Call } from '../vendor-call/contract';

/** An image of a job, as it is linked to. */
export interface HostedImage {
  url: string;
  width: number;
  height: number;
  contentType: string;
}

interface Making {
  assets: AssetStore;
  call: Call;
  lifetimeMs: number;
}

/** Draws the images of a job and keeps them for the vendor's time. */
export async function makeImages(orders: readonly ImageOrder[], making: Making): Promise<HostedImage[]> {
  const images: HostedImage[] = [];
  for (const order of orders) images.push(await makeImage(order, making));
  return images;
}

async function makeImage(order: ImageOrder, { assets, call, lifetimeMs }: Making): Promise<HostedImage> {
  const { width, height, format } = order;
  const bytes = await renderImage(order);
  const contentType = `image/${format}`;
  const path = assets.put({ bytes, contentType, extension: format, lifetimeMs, faults: call.faults });
  return { url: originOf(call.request) + path, width, height, contentType };
}

function originOf(request: Request): string {
  return `http://${request.get('host')}`;
}
