import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { refreshUser, signOut } from '../../platform/session.ts';
import { texts } from '../../texts/auth.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { twoStepQuery, useRefreshTwoStep } from './auth.queries.ts';
import { AuthLayout } from './AuthLayout.tsx';
import { TwoStepSetup } from './TwoStepSetup.tsx';

/** Required set-up of two-step sign-in, with signing out as the only alternative. */
export default function TwoStepScreen(): ReactNode {
  // Never refreshed: the screen must still show the recovery codes after the set-up has changed the state.
  const query = useQuery({ ...twoStepQuery, staleTime: Infinity });
  const { data } = query;
  const refresh = useRefreshTwoStep();
  const navigate = useNavigate();
  if (data?.on) return <Navigate to={paths.account} replace />;

  const goOn = async (): Promise<void> => {
    // The guard reads the new state from the session's user.
    await refreshUser();
    await navigate({ to: paths.dashboard, replace: true });
    await refresh();
  };
  return (
    <AuthLayout title={texts.twoStep} note={texts.twoStepForced}>
      <Loaded of={query} />
      {data && (
        <TwoStepSetup
          onDone={goOn}
          wayOut={
            <Button variant="default" onClick={signOut}>
              {texts.signOut}
            </Button>
          }
        />
      )}
    </AuthLayout>
  );
}
