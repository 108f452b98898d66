import { change } from '../../api/gateway.ts';
import type { components } from '../../api/generated/api.ts';
import type { SessionUser } from '../../api/session.ts';

type Schemas = components['schemas'];
export type Source = Schemas['FileSource'];
/** A result that a file resembles; operators see its account. */
export type Result = Schemas['SimilarResult'] & Partial<Pick<Schemas['SimilarResultOfAny'], 'account_id'>>;

export interface Origin {
  name: string;
  content_type: string;
  sources: readonly Source[];
  compared: Schemas['FileOrigin']['compared'];
  results: readonly Result[];
}

/** Asks where a file comes from: operators over all accounts. @throws ApiError */
export async function findOrigin(file: File, kind: SessionUser['kind']): Promise<Origin> {
  const form = new FormData();
  form.append('file', file);
  const path = kind === 'operator' ? '/admin/v1/provenance/verify' : '/v1/provenance/verify';
  const { data } = await change<{ data: Omit<Origin, 'name'> }>('POST', path, form);
  return { name: file.name, ...data };
}
