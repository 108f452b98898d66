import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Fingerprint, Upload } from 'lucide-react';
import { useEffect } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { FilePicker } from '../../parts/file-picker.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Panel } from '../../parts/panel.tsx';
import { findOrigin } from './find-origin.ts';
import { Results, Sources } from './findings.tsx';
import { say } from './texts.ts';

const HEIGHT = 160;

/** A file that is chosen or dropped: its statements about its origin, and the results that it resembles. */
export default function OriginPage() {
  const kind = useQuery(sessionQuery).data?.user.kind ?? 'account';
  const { mutate, data, error, isPending, isIdle } = useMutation({
    mutationFn: (file: File) => findOrigin(file, kind),
  });
  useDroppedFile(mutate);
  return (
    <>
      <PageHead title={say('title')} about={say('about')}>
        <FilePicker onPick={mutate}>
          {(props) => (
            <Button {...props} leftSection={<Upload size={14} />} loading={isPending}>
              {say('choose')}
            </Button>
          )}
        </FilePicker>
      </PageHead>
      {isIdle && (
        <Panel>
          <Empty icon={Fingerprint} title={say('drop')}>
            {say('drop.about')}
          </Empty>
        </Panel>
      )}
      {isPending && <Skeleton height={HEIGHT} />}
      {error && <Failure error={error} />}
      {data && (
        <div className="stack">
          <p>
            {data.name} <span className="quiet">{data.content_type}</span>
          </p>
          <Sources sources={data.sources} />
          <Results {...data} />
        </div>
      )}
    </>
  );
}

/** Takes a file that is dropped anywhere on the page, which the browser would open instead. */
function useDroppedFile(onFile: (file: File) => void) {
  useEffect(() => {
    const allow = (event: DragEvent) => event.preventDefault();
    const take = (event: DragEvent) => {
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      if (file !== undefined) onFile(file);
    };
    document.addEventListener('dragover', allow);
    document.addEventListener('drop', take);
    return () => {
      document.removeEventListener('dragover', allow);
      document.removeEventListener('drop', take);
    };
  }, [onFile]);
}
