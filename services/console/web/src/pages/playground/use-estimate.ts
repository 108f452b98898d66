import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { type Answers, change } from '../../api/gateway.ts';

const TYPED_MS = 400;
type Estimate = Answers['createEstimate']['data'];

export interface Judged {
  estimate: Estimate | undefined;
  error: ApiError | undefined;
  /** The user has typed since, and the API has not judged that yet. */
  isOld: boolean;
}

/** The cost of a submission, and the API's objections to it, asked for once its writer pauses. */
export function useEstimate(path: string, body: Readonly<Record<string, unknown>>): Judged {
  const [settled] = useDebouncedValue(JSON.stringify({ path, body }), TYPED_MS);
  const { data, error, isFetching } = useQuery({
    queryKey: ['estimate', settled],
    queryFn: async () => (await change<Answers['createEstimate']>('POST', '/v1/estimate', JSON.parse(settled))).data,
    retry: false,
    placeholderData: keepPreviousData,
  });
  return {
    estimate: error === null ? data : undefined,
    error: error instanceof ApiError ? error : undefined,
    isOld: isFetching || settled !== JSON.stringify({ path, body }),
  };
}
