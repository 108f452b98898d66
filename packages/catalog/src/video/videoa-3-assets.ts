import { message } from '@mediagate/contracts';
import type { RejectedInput } from '../entry';
import { cannotCombine, ignore, type RuleOutcome, reject, together } from '../rules';
import { type Asset, assetOf, assetsOf } from './assets';
import { type FrameRole, frameRole, isFrame } from './frames';

/** The media that the 3.0 models work from. */
export interface Videoa3Media {
  generation_type?: 'frame' | 'reference';
  image_urls?: readonly string[];
  image_with_roles?: readonly { url: string; role: ImageRole }[];
  video_urls?: readonly string[];
  audio_urls?: readonly string[];
  audio_url?: string;
  file_url?: string;
  link_url?: string;
}

export const IMAGE_ROLES = ['first_frame', 'last_frame', 'reference_image'] as const;
type ImageRole = (typeof IMAGE_ROLES)[number];

export type Videoa3Role =
  | FrameRole
  | 'reference_image'
  | 'reference_video'
  | 'reference_audio'
  | 'document'
  | 'web_page';

export const MAX_REFERENCE_IMAGES = 10;
/** The most videos, and the most audio clips. */
export const MAX_CLIPS = 5;

const ROLE_ALIASES = new Map<string, ImageRole>([
  ['first', 'first_frame'],
  ['start', 'first_frame'],
  ['head', 'first_frame'],
  ['last', 'last_frame'],
  ['end', 'last_frame'],
  ['tail', 'last_frame'],
  ['reference', 'reference_image'],
  ['ref', 'reference_image'],
]);

/** The role by its own name; what is neither a role nor an alias stays as it is, and is refused by the schema. */
export function canonicalRole(text: string): string {
  const name = text.trim().toLowerCase();
  return ROLE_ALIASES.get(name) ?? name;
}

/** Everything the body names, in the order of its fields; within a role, that is the order in which a prompt counts them. */
export function videoa3Assets(input: Videoa3Media): Asset<Videoa3Role>[] {
  return [
    ...assetsOf<Videoa3Role>('image_urls', input.image_urls, classifyBareImages(input)),
    ...(input.image_with_roles ?? []).map(({ url, role }, index) => ({
      field: `image_with_roles[${index}].url`,
      url,
      role,
    })),
    ...assetsOf('video_urls', input.video_urls, 'reference_video'),
    ...assetsOf('audio_urls', input.audio_urls, 'reference_audio'),
    ...assetOf('audio_url', input.audio_url, 'reference_audio'),
    ...assetOf('file_url', input.file_url, 'document'),
    ...assetOf('link_url', input.link_url, 'web_page'),
  ];
}

/**
 * The roles of images that come without one: those that `generation_type` says; else references, if there is other reference
 * media; else the first frame and the last.
 */
export function classifyBareImages(input: Videoa3Media): 'reference_image' | ((index: number) => FrameRole) {
  const asReference = input.generation_type ? input.generation_type === 'reference' : hasOtherReferences(input);
  return asReference ? 'reference_image' : frameRole;
}

function hasOtherReferences(input: Videoa3Media): boolean {
  const lists = [input.video_urls, input.audio_urls].some((urls) => urls !== undefined && urls.length > 0);
  return lists || [input.audio_url, input.file_url, input.link_url].some((url) => url !== undefined);
}

/** Rule: frames and references make two kinds of video. */
export function familiesAreNotMixed(input: Videoa3Media): RuleOutcome {
  const assets = videoa3Assets(input);
  const frame = assets.find(isFrame);
  if (frame === undefined) return undefined;
  const other = message('with_role', { field: frame.field, role: frame.role });
  const references = assets.filter((asset) => !isFrame(asset));
  return together(
    references.map(({ field, role }) =>
      cannotCombine(field, 'not_combined', { field: message('with_role', { field, role }), other }),
    ),
  );
}

/** Rule: one document or one page. */
export function fileOrLink({ file_url: file, link_url: link }: Videoa3Media): RuleOutcome {
  if (file === undefined || link === undefined) return undefined;
  return cannotCombine('link_url', 'not_combined', { other: 'file_url' });
}

/** Rule: counts that the lists' own limits cannot hold, because two fields fill one role. */
export function referencesAreNotTooMany(input: Videoa3Media): RuleOutcome {
  const assets = videoa3Assets(input);
  const count = (role: Videoa3Role) => assets.filter((asset) => asset.role === role).length;
  const refusals: RejectedInput[] = [];
  if (count('reference_image') > MAX_REFERENCE_IMAGES) {
    const limits = { other: 'image_urls', limit: MAX_REFERENCE_IMAGES };
    refusals.push(reject('image_with_roles', 'too_many_reference_images', limits));
  }
  if (count('reference_audio') > MAX_CLIPS) {
    refusals.push(reject('audio_url', 'too_many_clips', { other: 'audio_urls', limit: MAX_CLIPS }));
  }
  return together(refusals);
}

/** Rule: it says what bare images are, so without them it says nothing. */
export function generationTypeNeedsBareImages({ image_urls: urls = [] }: Videoa3Media): RuleOutcome {
  return urls.length === 0 ? ignore('generation_type', 'ignored_goes_with', { other: 'image_urls' }) : undefined;
}
