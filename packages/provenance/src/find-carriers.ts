import { carriersOfBmff } from './carriers/bmff';
import type { FindCarriers, FoundCarriers } from './carriers/carrier';
import { carriersOfId3 } from './carriers/id3';
import { carriersOfJpeg } from './carriers/jpeg';
import { carriersOfPng } from './carriers/png';
import { carriersOfRiff } from './carriers/riff';
import type { PieceReader } from './piece-reader';

const FINDERS: Readonly<Record<string, FindCarriers>> = {
  'image/png': carriersOfPng,
  'image/jpeg': carriersOfJpeg,
  'image/webp': carriersOfRiff,
  'audio/wav': carriersOfRiff,
  'audio/mpeg': carriersOfId3,
  'audio/mp4': carriersOfBmff,
  'video/mp4': carriersOfBmff,
  'video/quicktime': carriersOfBmff,
};

/** Finds the statements of origin that a file's container carries; none for kinds that carry none. */
export async function findCarriers(file: PieceReader, contentType: string): Promise<FoundCarriers> {
  return (await FINDERS[contentType]?.(file)) ?? { carriers: [] };
}
