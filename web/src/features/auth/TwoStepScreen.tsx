import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { refreshUser, signOut } from '../../platform/session.ts';
import { texts } from '../../texts/auth.ts';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { twoStepQuery, useTwoStep } from './auth.queries.ts';
import { AuthLayout } from './AuthLayout.tsx';
import { TwoStepSetup } from './TwoStepSetup.tsx';

/** Two-step sign-in that an administrator asks for: there is no way on but setting it up and signing out. */
export function TwoStepScreen(): ReactNode {
  // As it was at the beginning: the recovery codes stay when the answer would be another one by now.
  const { data, error, refetch } = useQuery({ ...twoStepQuery, staleTime: Infinity });
  const { refresh } = useTwoStep();
  const navigate = useNavigate();
  if (data?.on) return <Navigate to={paths.account} replace />;

  const goOn = async (): Promise<void> => {
    // The guard lets nobody on before the session knows that it is set up.
    await refreshUser();
    await navigate({ to: paths.dashboard, replace: true });
    await refresh();
  };
  return (
    <AuthLayout title={texts.twoStep} note={texts.twoStepForced}>
      {error && <LoadFailed error={error} retry={() => void refetch()} />}
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
