    for (int k = ${contact_count}; k < ${blocks}; k++) {
        const int row = ${m}_contact_first[k];
        at.mu[k] = h*fmax${f}(${zero}, limits[k - ${contact_count}]);
        ${m}_contact_weigh(at.y, k, at.weights[k]);
        at.offset[k] = ${zero};
        at.softness[k] = ${zero};
        at.is_active[k] = true;
        impulses[row] = fmax${f}(-at.mu[k], fmin${f}(at.mu[k], impulses[row]));
    }
