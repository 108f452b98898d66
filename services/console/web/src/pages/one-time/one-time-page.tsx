import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LogIn } from 'lucide-react';
import { useNavigate } from 'react-router';
import { type Session, sessionQuery, signInOnce } from '../../api/session.ts';
import { Empty } from '../../parts/empty.tsx';
import { faultText } from '../../parts/failure.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { textsOf } from '../../texts/texts.ts';
import type en from './locales/en.json';

const say = textsOf<keyof typeof en>('pages/one-time');

/** Asks before it uses the link up: a browser may open one ahead of its reader. */
export default function OneTimePage() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  useTitle(say('submit'));
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => signInOnce(location.hash.slice(1)),
    onSuccess: async (session: Session) => {
      queries.clear();
      await navigate('/', { replace: true });
      queries.setQueryData(sessionQuery.queryKey, session);
    },
  });
  return (
    <Empty icon={LogIn} title={error === null ? say('title') : faultText(error)}>
      {error === null ? (
        <Button size="sm" loading={isPending} onClick={() => mutate()} autoFocus>
          {say('submit')}
        </Button>
      ) : (
        <a href="/">{say('back')}</a>
      )}
    </Empty>
  );
}
