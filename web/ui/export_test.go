package ui

// UnleasedSteps are the steps after which the diagram draws an actor's lane as one that works without the lease that it had.
func UnleasedSteps(v View, actor string) map[int]bool {
	return unleasedSteps(&v, diagram{To: len(v.Trace.Steps)}, lane{Name: actor})
}
