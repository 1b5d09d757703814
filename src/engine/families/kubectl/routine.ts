/** Normal events that tell of routine alone; any other (`NodeNotReady`, `Killing`) is one that a reader looks for. */
export const ROUTINE =
  /^(?:Scheduled|Pulling|Pulled|Created|Started|Starting|SuccessfulCreate|SuccessfulDelete|ScalingReplicaSet|Completed|SawCompletedJob|LeaderElection|RegisteredNode|NodeHasSufficient\w{1,20}|NodeHasNoDiskPressure|NodeAllocatableEnforced|Provisioning|ProvisioningSucceeded|ExternalProvisioning|WaitForFirstConsumer|SuccessfulAttachVolume|EnsuringLoadBalancer|EnsuredLoadBalancer|AddedInterface|Sync)$/
