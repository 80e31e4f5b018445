"""Arguments in small parameters and limit laws: for judges of asymptotics, asymptotic_variance, supply_chain."""
