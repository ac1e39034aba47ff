// The functions, one in each line that begins with `NAME`, that must be passed to the linker's option `--wrap`, so that hops
// are recorded in a program that has the Swift libraries linked into its own file. `Scripts/static-hops` generates the options
// from this file.
#pragma once

// Functions that hooks replace.
#define RXT_WRAPPED_FUNCTIONS(NAME) \
  NAME(swift_task_create) \
  NAME(swift_asyncLet_begin) \
  NAME(swift_task_enterThreadLocalContext) \
  NAME(swift_task_exitThreadLocalContext) \
  NAME(dispatch_async) \
  NAME(dispatch_async_f) \
  NAME(dispatch_barrier_async) \
  NAME(dispatch_barrier_async_f) \
  NAME(dispatch_after) \
  NAME(dispatch_after_f) \
  NAME(dispatch_group_async) \
  NAME(dispatch_group_async_f) \
  NAME(dispatch_group_notify) \
  NAME(dispatch_group_notify_f) \
  NAME(dispatch_block_create) \
  NAME(dispatch_block_create_with_qos_class) \
  NAME(dispatch_block_notify) \
  NAME(dispatch_source_set_event_handler) \
  NAME(dispatch_source_set_cancel_handler) \
  NAME(dispatch_source_set_registration_handler) \
  NAME(dispatch_apply_f) \
  NAME(dispatch_apply) \
  NAME($s10Foundation5TimerC12timeInterval7repeats5blockACSd_SbyACYbctcfC) \
  NAME($s10Foundation5TimerC4fire8interval7repeats5blockAC0A10Essentials4DateV_SdSbyACYbctcfC) \
  NAME($s10Foundation5TimerC4fire8interval7repeats5blockAC0A10Essentials4DateV_SdSbyACYbctcfc) \
  NAME($s10Foundation5TimerC09scheduledB016withTimeInterval7repeats5blockACSd_SbyACYbctFZ) \
  NAME($s10Foundation7RunLoopC7performyyyyYbcF) \
  NAME($s10Foundation7RunLoopC7perform7inModes5blockySayAC4ModeVG_yyYbctF) \
  NAME($s10Foundation9OperationC5startyyF) \
  NAME($s10Foundation14OperationQueueC03addB0yyAA0B0CF) \
  NAME($s10Foundation14OperationQueueC03addB0yyyyYbcF) \
  NAME($s10Foundation14OperationQueueC13addOperations_17waitUntilFinishedySayAA0B0CG_SbtF) \
  NAME($s10Foundation14OperationQueueC15addBarrierBlockyyyyYbcF)

// Functions of the Swift overlay of dispatch (libswiftDispatch) that request work and set up no stack frame.
#define RXT_WRAPPED_FRAMELESS(NAME) \
  NAME($s8Dispatch0A8WorkItemC6notify3qos5flags5queue7executeyAA0A3QoSV_AA0abC5FlagsVAA0A5QueueCyyXBtF) \
  NAME($s8Dispatch0A8WorkItemC6notify5queue7executeyAA0A5QueueC_ACtF) \
  NAME($s8Dispatch0A5GroupC6notify3qos5flags5queue7executeyAA0A3QoSV_AA0A13WorkItemFlagsVAA0A5QueueCyyXBtF) \
  NAME($s8Dispatch0A5GroupC6notify5queue4workyAA0A5QueueC_AA0A8WorkItemCtF) \
  NAME($s8Dispatch0A5QueueC10asyncAfter12wallDeadline3qos5flags7executeyAA0A8WallTimeV_AA0A3QoSVAA0A13WorkItemFlagsVyyYbXBtF) \
  NAME($s8Dispatch0A5QueueC10asyncAfter12wallDeadline7executeyAA0A8WallTimeV_AA0A8WorkItemCtF) \
  NAME($s8Dispatch0A5QueueC10asyncAfter8deadline3qos5flags7executeyAA0A4TimeV_AA0A3QoSVAA0A13WorkItemFlagsVyyYbXBtF) \
  NAME($s8Dispatch0A5QueueC10asyncAfter8deadline7executeyAA0A4TimeV_AA0A8WorkItemCtF) \
  NAME($s8Dispatch0A5QueueC17concurrentPerform10iterations7executeySi_ySiXEtFZ) \
  NAME($s8Dispatch0A5QueueC5async5group3qos5flags7executeyAA0A5GroupCSg_AA0A3QoSVAA0A13WorkItemFlagsVyyYbXBtF) \
  NAME($s8Dispatch0A5QueueC5async5group7executeyAA0A5GroupC_AA0A8WorkItemCtF) \
  NAME($s8Dispatch0A5QueueC5async7executeyAA0A8WorkItemC_tF) \
  NAME($s8Dispatch0A14SourceProtocolPAAE15setEventHandler3qos5flags7handleryAA0A3QoSV_AA0A13WorkItemFlagsVyyXBSgtF) \
  NAME($s8Dispatch0A14SourceProtocolPAAE15setEventHandler7handleryAA0A8WorkItemC_tF) \
  NAME($s8Dispatch0A14SourceProtocolPAAE16setCancelHandler3qos5flags7handleryAA0A3QoSV_AA0A13WorkItemFlagsVyyXBSgtF) \
  NAME($s8Dispatch0A14SourceProtocolPAAE16setCancelHandler7handleryAA0A8WorkItemC_tF) \
  NAME($s8Dispatch0A14SourceProtocolPAAE22setRegistrationHandler3qos5flags7handleryAA0A3QoSV_AA0A13WorkItemFlagsVyyXBSgtF) \
  NAME($s8Dispatch0A14SourceProtocolPAAE22setRegistrationHandler7handleryAA0A8WorkItemC_tF)

// A variable through which a program that was linked with these options calls one of the functions.
typedef struct rxt_entry {
  // The target of the calls: the function itself until they are redirected.
  void *function;
  // The function itself; null if the program was linked without the options, or does not use the function.
  void *linked;
} rxt_entry;

#define RXT_DECLARE_ENTRY(name) extern rxt_entry rxt_entry_##name __attribute__((visibility("hidden")));
RXT_WRAPPED_FUNCTIONS(RXT_DECLARE_ENTRY)
RXT_WRAPPED_FRAMELESS(RXT_DECLARE_ENTRY)
