import type { MediaReference, VideoInput } from '@mediagate/contracts';
import { addressesAreFiles, pagesAreHttp } from '../addresses';
import type { NamedAddress } from '../entry';
import { missing, type Rule } from '../rules';
import type { FileLimits } from './file-limits';

/** A file or page that the body names, and what it is to the model. */
export interface Asset<Role extends AssetRole = AssetRole> extends NamedAddress {
  role: Role;
}

export type AssetRole = VideoInput['role'] | 'subject_image' | 'subject_voice' | 'element_image';

/** A model's file limits in each role; pages are no files. */
export type FilesByRole<Role extends AssetRole> = Readonly<Record<Exclude<Role, 'web_page'>, FileLimits>>;

/** An asset for each address of a list field. */
export function assetsOf<Role extends AssetRole>(
  field: string,
  urls: readonly string[] | undefined,
  role: Role | ((index: number) => Role),
): Asset<Role>[] {
  return (urls ?? []).map((url, index) => ({
    field: `${field}[${index}]`,
    url,
    role: typeof role === 'function' ? role(index) : role,
  }));
}

/** An asset for a field that holds one address, if it does. */
export function assetOf<Role extends AssetRole>(field: string, url: string | undefined, role: Role): Asset<Role>[] {
  return url === undefined ? [] : [{ field, url, role }];
}

/** The files among the assets. Vendors of video fetch them themselves, so here they are only inspected. */
export function filesOf<Role extends AssetRole>(
  assets: readonly Asset<Role>[],
  files: FilesByRole<Role>,
): MediaReference[] {
  return assets.flatMap(({ field, url, role }) =>
    isFileRole(role) ? [{ field, url, inspectOnly: true, ...files[role] }] : [],
  );
}

/** The pages among the assets. */
export function pagesOf(assets: readonly Asset[]): NamedAddress[] {
  return assets.filter(({ role }) => role === 'web_page').map(({ field, url }) => ({ field, url }));
}

/** Makes the rules that files are named as files and pages as pages. */
export function assetsAreNamed<Input>(assets: (input: Input) => readonly Asset[]): Rule<Input>[] {
  const named = (input: Input, isPage: boolean) => assets(input).filter(({ role }) => !isFileRole(role) === isPage);
  return [addressesAreFiles((input: Input) => named(input, false)), pagesAreHttp((input: Input) => named(input, true))];
}

/** Assets whose role says all that an adapter needs to know of them. */
export function inputsOf(assets: readonly Asset<Exclude<VideoInput['role'], 'mid_frame'>>[]): VideoInput[] {
  return assets.map(({ role, url }) => ({ role, url }));
}

/** Makes the rule that something says what the video should show. */
export function promptOrAssets<Input>(assets: (input: Input) => readonly Asset[]): Rule<Input & { prompt?: string }> {
  return (input) =>
    input.prompt === undefined && assets(input).length === 0 ? missing('prompt', 'required_unless_media') : undefined;
}

function isFileRole<Role extends AssetRole>(role: Role): role is Exclude<Role, 'web_page'> {
  return role !== 'web_page';
}
