import { Link } from 'react-router';
import { PageHead } from '../parts/page-head.tsx';
import { say } from './texts.ts';

export function NotFound() {
  return (
    <>
      <PageHead title={say('notFound.title')} />
      <Link to="/">{say('notFound.back')}</Link>
    </>
  );
}
