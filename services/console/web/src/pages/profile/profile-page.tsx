import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Failure } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { TwoColumns } from '../../parts/two-columns.tsx';
import { Elsewhere } from './elsewhere.tsx';
import { Password } from './password.tsx';
import { ownQuery } from './queries.ts';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';
import { say } from './texts.ts';
import { Who } from './who.tsx';

const SKELETON_PX = 160;

/** The user's ways to sign in, and their sessions. */
export default function ProfilePage() {
  const { data: own, error, refetch } = useQuery(ownQuery);
  return (
    <>
      <PageHead title={say('title')} about={say('about')} />
      {error && <Failure error={error} retry={refetch} />}
      {own === undefined && !error && <Skeleton height={SKELETON_PX} />}
      {own !== undefined && (
        <TwoColumns
          side={
            <>
              <Sessions />
              <Elsewhere own={own} />
            </>
          }
        >
          <Who own={own} />
          {own.password && <Password />}
          {own.password && <SecondFactor own={own} />}
        </TwoColumns>
      )}
    </>
  );
}
