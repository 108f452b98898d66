import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { BrowserRouter } from 'react-router';
import { createQueryClient } from '../api/query-client.ts';
import { Notices } from '../parts/notices.tsx';
import { theme } from '../theme.ts';
import { Pages } from './pages.tsx';

const queries = createQueryClient();

/** The frame that every page stands in. The theme's variables are a style sheet of the build, so that no style is written into the page. */
export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queries}>
        <BrowserRouter>
          <Pages />
        </BrowserRouter>
        <Notices />
      </QueryClientProvider>
    </MantineProvider>
  );
}
